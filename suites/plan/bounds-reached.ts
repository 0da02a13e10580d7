import { picoIn } from '../oracle/money.ts';
import type { Budget } from '../profile/money.ts';
import type { Plan } from './plan.ts';

/** The bounds that would end a run before its plan, as `exchanges=2000`. */
export function boundsReached(
  plan: Pick<Plan, 'exchanges' | 'tokens' | 'usd' | 'ms'>,
  budget: Budget,
): string[] {
  const { exchanges, tokens, usd, minutes } = budget;
  const isDear = usd !== undefined && (picoIn(plan.usd ?? '0') ?? 0n) > (picoIn(usd) ?? 0n);
  return [
    ...(exchanges !== undefined && plan.exchanges > exchanges ? [`exchanges=${exchanges}`] : []),
    ...(tokens !== undefined && plan.tokens > tokens ? [`tokens=${tokens}`] : []),
    ...(isDear ? [`usd=${usd}`] : []),
    ...(minutes !== undefined && plan.ms > minutes * 60_000 ? [`minutes=${minutes}`] : []),
  ];
}
