import type { Fault } from '../../fault-contract/fault.ts';

/** Longer than any caller waits for a job, ms. */
const usualMs = 24 * 3_600_000;

/** The job succeeds by itself, after its caller has given up on it. */
export const lateSuccess: Fault = {
  id: 'J16',
  kind: 'job',
  plan: ({ waitMs }) => ({ life: { queued_ms: 0, running_ms: waitMs ?? usualMs, end: 'success' } }),
};
