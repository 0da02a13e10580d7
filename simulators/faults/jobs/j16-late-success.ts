import type { Fault } from '../../fault-contract/fault.ts';

/** The job succeeds only when it is moved by hand, after the caller gave up on it. */
export const lateSuccess: Fault = {
  id: 'J16',
  kind: 'job',
  plan: () => ({ life: { queued_ms: 0, hold: 'running', end: 'success' } }),
};
