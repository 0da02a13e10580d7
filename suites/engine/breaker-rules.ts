import type { BreakerRules } from '../oracle/breaker.ts';
import type { Profile } from '../profile/profile.ts';

/** The deployment's declared breaker rules; null if not declared. */
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
    ...(declared.probes !== undefined && { probes: declared.probes }),
  };
}
