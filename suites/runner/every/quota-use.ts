import type { AccountView } from '../../engine/meter.ts';
import type { Finding } from '../../rules/violation.ts';
import { type Spent, tokensOf } from './call-due.ts';

type Call = Omit<Spent, 'payers'>;

/** The UTC month that the deployment's clock showed at a time of ours; null when it is uncertain. */
export type MonthAt = (realMs: number) => string | null;

/** The tokens of the running month's quota that some calls have used up. */
export interface TokenUse {
  readonly calls: readonly Call[];
  readonly least: number;
  /** Null when it is unknown of a call. */
  readonly most: number | null;
}

/** Which month pays for a call that outlasts one is not specified, so such a call need not count. */
export function tokenUse(calls: readonly Call[], monthAt: MonthAt, nowMs: number): TokenUse {
  const month = monthAt(nowMs);
  let [least, most]: [number, number | null] = [0, 0];
  for (const call of calls) {
    const tokens = tokensOf(call);
    const { sentAt, endedAt } = call.exchange;
    const isOfMonth = month !== null && monthAt(sentAt) === month && monthAt(endedAt) === month;
    if (tokens !== null && isOfMonth) least += tokens.least;
    most = most === null || tokens === null ? null : most + tokens.most;
  }
  return { calls, least, most };
}

/** Whether an account shows tokens. A deployment may count none where no quota bounds them. */
export function countsTokens({ tokensUsed, monthlyTokens }: AccountView): boolean {
  return tokensUsed !== null && (monthlyTokens !== null || tokensUsed > 0);
}

/** Judges by how much the account's count of tokens has risen ("Limits", reading B-45). */
export function tokenFindings({ calls, least, most }: TokenUse, risen: number, view: AccountView): Finding[] {
  const finding = (aspect: string, bound: string): Finding => ({
    ...{ requirement: 'LIM-011', aspect, exchange: calls.at(-1)?.exchange },
    expected: `${bound} tokens of the month's quota for ${calls.length} calls`,
    actual: String(risen),
  });
  if (most !== null && risen > most) return [finding('tokens-of-the-calls', `at most ${most}`)];
  return risen < least && countsTokens(view) ? [finding('no-fewer-tokens', `at least ${least}`)] : [];
}
