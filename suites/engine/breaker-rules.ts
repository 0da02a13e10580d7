import type { BreakerRules } from '../oracle/breaker.ts';
import type { Profile } from '../profile/profile.ts';

/** When the breakers of a deployment open, as its profile declares it; null where it does not. */
export function breakerRulesOf({ upstream }: Pick<Profile, 'upstream'>): BreakerRules | null {
  const declared = upstream?.breaker;
  const [first, ...next] = declared?.cool_down_ms ?? [];
  if (declared === undefined || first === undefined) return null;
  return {
    consecutiveFailures: declared.consecutive_failures,
    windowMs: declared.window_ms,
    windowLeast: declared.window_least,
    windowFailurePercent: declared.window_failure_percent,
    coolDownMs: [first, ...next],
  };
}
