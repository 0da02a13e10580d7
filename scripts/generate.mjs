// `npm run generate`: writes anew what is derived from the sources and kept in the tree, so that a change is one diff to review.
import { writeFileSync } from 'node:fs';
import { generatedPages } from '../proof/pages/all-pages.ts';
import { allChecks } from '../suites/checks/all-checks.ts';
import { checkIds } from '../suites/checks/areas.ts';

writeFileSync(checkIds, `${allChecks.map(({ id }) => id).join('\n')}\n`);
for (const [page, text] of generatedPages()) writeFileSync(new URL(`../${page}`, import.meta.url), text);
