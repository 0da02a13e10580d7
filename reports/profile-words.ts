import type { ProfileResult, Report } from './report.ts';

/** One line with the results of each named part that was judged; empty if none was. */
export function profilesInWords({ profiles = [] }: Report): string {
  return profiles
    .filter(({ judged }) => judged > 0)
    .map(profileWords)
    .join(', ');
}

/** The result for a named part of the interface: `tasks partial (40 of 97 rules)`, `images fail (80 of 80 rules, 3 failed)`. */
function profileWords({ name, verdict, rules, judged, failed }: ProfileResult): string {
  return `${name} ${verdict} (${judged} of ${rules} rules${failed === 0 ? '' : `, ${failed} failed`})`;
}
