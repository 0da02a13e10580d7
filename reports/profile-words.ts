import type { ProfileResult, Report } from './report.ts';

/** What a run has shown of each named part of which it judged anything, for one line; empty where there is none. */
export function profilesInWords({ profiles = [] }: Report): string {
  return profiles
    .filter(({ judged }) => judged > 0)
    .map(profileWords)
    .join(', ');
}

/** What a run has shown of a named part of the interface: `streaming pass (36)`, `tasks partial (40 of 97)`. */
function profileWords({ name, verdict, rules, judged, failed }: ProfileResult): string {
  if (verdict === 'fail') return `${name} fail (${failed} of ${rules})`;
  return `${name} ${verdict} (${judged === rules ? rules : `${judged} of ${rules}`})`;
}
