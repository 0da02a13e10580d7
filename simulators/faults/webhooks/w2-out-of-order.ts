import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { resultsOf } from '../../providers/callback-jobs/reply.ts';
import { ofForm } from '../native/refusal.ts';
import {
  asFailed,
  isEnd,
  markFaulted,
  needsCallback,
  underNewId,
  withData,
  withReport,
} from './edit-callback.ts';

/** How long after the end a callback is sent that belongs before or next to it, ms. */
const laterMs = 100;

/** Callbacks arrive in a different order than the events that they report. */
export const outOfOrder: Fault = {
  id: 'W2',
  kind: 'job',
  needs: needsCallback,
  plan: (context): JobFault => ofForm(context, plans),
};

const plans: Readonly<Record<string, JobFault>> = {
  'complete-before-text': {
    report: (given, observation) => {
      if (!isEnd(given)) return [];
      const text = withReport(given, (report) => withData(report, { callbackType: 'text', results: [] }));
      return [
        given,
        {
          ...underNewId(markFaulted(text, observation), observation),
          afterMs: observation.waitMs ?? laterMs,
        },
      ];
    },
  },
  'failed-after-complete': {
    report: (given, observation) =>
      isEnd(given)
        ? [
            given,
            {
              ...underNewId(markFaulted(withReport(given, asFailed), observation), observation),
              afterMs: observation.waitMs ?? laterMs,
            },
          ]
        : [given],
  },
  // The callback reports the end before polls do. The end is not reported again.
  'complete-before-record': {
    life: { queued_ms: 0, running_ms: 1500 },
    report: (given, observation) => {
      if (isEnd(given)) return [];
      const results = resultsOf({ stage: 'success', outputs: observation.made });
      const whole = withReport(given, (report) => withData(report, { callbackType: 'complete', results }));
      return [markFaulted(whole, observation)];
    },
  },
};
