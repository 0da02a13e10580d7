import { allChecks } from '../../suites/checks/all-checks.ts';
import { factPage } from './fact-page.ts';
import { faultPage } from './fault-page.ts';
import { optionPage } from './option-page.ts';
import { profilePage } from './profile-page.ts';

/** The pages of `docs/` that are written from the sources, by path: `npm run generate` renews them. */
export function generatedPages(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/fault-list.md', faultPage()],
    ['docs/options.md', optionPage()],
    ['docs/profile.md', profilePage()],
    ['docs/untestable.md', factPage(allChecks)],
  ]);
}
