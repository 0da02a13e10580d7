import type { Callback } from '../../answers/callback.ts';
import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { markFaulted, needsCallback, underNewId } from './edit-callback.ts';

/** Each report comes more than once. */
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
  // Reported anew, so that only what it says is known.
  'new-id': (given, observation) => [
    given,
    { ...underNewId(markFaulted(given, observation), observation), afterMs: observation.waitMs ?? 100 },
  ],
  // When most likely all is settled.
  late: again(1, 2000),
};

/** The report and its copies, each so long after the one before it, signed at its own time. */
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
