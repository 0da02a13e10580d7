import type { BreakerProfile } from '../profile/profile.ts';

/** The upstream time limits and breaker settings of a reference stack, both configured and declared. */
export interface StackTimes {
  readonly connect_timeout_ms: number;
  readonly first_byte_timeout_ms: number;
  readonly idle_timeout_ms: number;
  readonly total_timeout_ms: number;
  readonly breaker: BreakerProfile & { readonly account_out_ms: number };
}

/** The default times of a stack: the numbers of the readings (B-106, B-108). */
export const usualTimes: StackTimes = {
  connect_timeout_ms: 5_000,
  first_byte_timeout_ms: 30_000,
  idle_timeout_ms: 30_000,
  total_timeout_ms: 600_000,
  breaker: {
    consecutive_failures: 5,
    window_ms: 30_000,
    window_least: 10,
    window_failure_percent: 50,
    cool_down_ms: [30_000, 60_000],
    account_out_ms: 300_000,
  },
};

/**
 * The usual times with other numbers: one limit for every wait for an upstream, and the cool-downs. The last cool-down also
 * becomes the breaker's window, and the pause of a refused account.
 */
export function stackTimes(more: { timeoutMs?: number; coolDownMs?: readonly number[] }): StackTimes {
  const { timeoutMs, coolDownMs } = more;
  const last = coolDownMs?.at(-1);
  return {
    ...usualTimes,
    ...(timeoutMs === undefined
      ? {}
      : {
          connect_timeout_ms: timeoutMs,
          first_byte_timeout_ms: timeoutMs,
          idle_timeout_ms: timeoutMs,
        }),
    ...(coolDownMs === undefined || last === undefined
      ? {}
      : {
          breaker: {
            ...usualTimes.breaker,
            cool_down_ms: [...coolDownMs],
            window_ms: last,
            account_out_ms: last,
          },
        }),
  };
}
