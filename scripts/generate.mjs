// `npm run generate`: writes anew what is derived from the sources and kept in the tree, so that a change is one diff to review.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tableOf } from 'gatecheck-reports/published-result';
import { generatedPages } from '../proof/pages/all-pages.ts';
import { allChecks } from '../suites/checks/all-checks.ts';
import { costsFile } from '../suites/checks/areas.ts';
import { loadCheckCosts } from '../suites/plan/check-costs.ts';
import { inLines, withRows } from '../suites/plan/note-costs.ts';

const results = new URL('../results/', import.meta.url);
const rows = readdirSync(results)
  .toSorted()
  .map((folder) => ({
    ...JSON.parse(readFileSync(new URL(`${folder}/row.json`, results), 'utf8')),
    folder,
  }));
const page = new URL('../docs/results.md', import.meta.url);
const text = readFileSync(page, 'utf8');
writeFileSync(
  page,
  text.replace(/\| deployment \|.*?(?=\n\n|$)/s, () => tableOf(rows)),
);
writeFileSync(costsFile, inLines(withRows(loadCheckCosts(), allChecks)));
for (const [name, generated] of generatedPages())
  writeFileSync(new URL(`../${name}`, import.meta.url), generated);
