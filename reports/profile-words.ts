import type { ProfileResult, Report } from './report.ts';

/** What a run has shown of each named part of which it judged anything, for one line; empty where there is none. */
export function profilesInWords({ profiles = [] }: Report): string {
  return profiles
    .filter(({ judged }) => judged > 0)
    .map(profileWords)
    .join(', ');
}

/** What a run has shown of a named part of the interface: `tasks partial (40 of 97)`, `images fail (80 of 80, 3 failed)`. */
function profileWords({ name, verdict, rules, judged, failed }: ProfileResult): string {
  return `${name} ${verdict} (${judged} of ${rules}${failed === 0 ? '' : `, ${failed} failed`})`;
}
