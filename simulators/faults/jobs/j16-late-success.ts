import type { Fault } from '../../fault-contract/fault.ts';

/** The job runs until somebody tells it to end, which is to be when nobody waits for it any more. */
export const lateSuccess: Fault = {
  id: 'J16',
  kind: 'job',
  plan: () => ({ life: { queued_ms: 0, hold: 'running', end: 'success' } }),
};
