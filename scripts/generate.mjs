// `npm run generate`: writes anew what is derived from the sources and kept in the tree, so that a change is one diff to review.
import { writeFileSync } from 'node:fs';
import { allChecks } from '../suites/checks/all-checks.ts';
import { checkIds } from '../suites/checks/areas.ts';
import { profileJsonSchema } from '../suites/profile/json-schema.ts';

const schema = new URL('../fixtures/schemas/profile.json', import.meta.url);
writeFileSync(schema, `${JSON.stringify(profileJsonSchema(), null, 2)}\n`);
writeFileSync(checkIds, `${allChecks.map(({ id }) => id).join('\n')}\n`);
