import type { ProfileResult } from './report.ts';

/** What a run has shown of a named part of the interface: `streaming pass (36)`, `tasks partial (40 of 97)`. */
export function profileWords({ name, verdict, rules, judged, failed }: ProfileResult): string {
  if (verdict === 'fail') return `${name} fail (${failed} of ${rules})`;
  return `${name} ${verdict} (${judged === rules ? rules : `${judged} of ${rules}`})`;
}
