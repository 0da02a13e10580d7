import type { Callback } from '../../answers/callback.ts';
import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { markFaulted, needsCallback, underNewId } from './edit-callback.ts';

/** Each callback is sent more than once. */
export const duplicate: Fault = {
  id: 'W1',
  kind: 'job',
  needs: needsCallback,
  plan: (context): JobFault => ({ report: ofForm(context, reports) }),
};

type Reporting = NonNullable<JobFault['report']>;

const reports: Readonly<Record<string, Reporting>> = {
  twice: again(1, 100),
  'ten-times': again(9, 50),
  concurrent: again(9, 0),
  // Under a new id, so that only its content shows the duplicate.
  'new-id': (given, observation) => [
    given,
    { ...underNewId(markFaulted(given, observation), observation), afterMs: observation.waitMs ?? 100 },
  ],
  // Late enough that the gateway has most likely finished the task.
  late: again(1, 2000),
};

/** The callback and its copies, with a fixed gap in ms. Each is signed at its own time. */
function again(copies: number, gapMs: number): Reporting {
  return (given, observation) => [
    given,
    ...Array.from({ length: copies }, (_, at): Callback => {
      const copy = markFaulted(given, observation);
      const waitMs = observation.waitMs ?? gapMs;
      return waitMs === 0 ? copy : { ...copy, afterMs: (at + 1) * waitMs };
    }),
  ];
}
