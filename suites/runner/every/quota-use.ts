import type { Finding } from '../../rules/violation.ts';
import { type Spent, tokensAtMost } from './call-due.ts';

/** Only its calls use up the quota of an account that a check has made. Nothing is judged where one of them is unknown. */
export function tooManyTokens(calls: readonly Omit<Spent, 'payers'>[], used: number | null): Finding[] {
  let most = 0;
  for (const call of calls) {
    const tokens = tokensAtMost(call);
    if (tokens === null) return [];
    most += tokens;
  }
  if (used === null || used <= most) return [];
  return [
    {
      ...{ requirement: 'LIM-011', aspect: 'tokens-of-the-calls', exchange: calls.at(-1)?.exchange },
      expected: `at most ${most} tokens of the month's quota for ${calls.length} calls`,
      actual: String(used),
    },
  ];
}
