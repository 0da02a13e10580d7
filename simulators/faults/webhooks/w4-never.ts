import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { isEnd, needsCallback } from './edit-callback.ts';

/** No callback is sent, or none for the end. */
export const never: Fault = {
  id: 'W4',
  kind: 'job',
  needs: needsCallback,
  plan: (context): JobFault => ({ report: ofForm(context, reports) }),
};

const reports: Readonly<Record<string, NonNullable<JobFault['report']>>> = {
  nothing: () => [],
  'no-end': (given) => (isEnd(given) ? [] : [given]),
};
