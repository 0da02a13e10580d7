import type { Callback } from '../../answers/callback.ts';
import type { Fault, JobFault, ReportObservation } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { asFailed, isEnd, markFaulted, needsCallback, withReport } from './edit-callback.ts';

/** How long after the poll's answer the callback is sent in the form `poll-first`, ms. */
const behindMs = 20;

/** The callback reports the end at the moment when a poll finds it. */
export const pollRace: Fault = {
  id: 'W8',
  kind: 'job',
  needs: needsCallback,
  plan: (context): JobFault => {
    const { edit, pollWaits } = ofForm(context, races);
    const found = Promise.withResolvers<void>();
    const reported = Promise.withResolvers<void>();
    return {
      poll: (answer, { endedMs }) => {
        if (endedMs === null) return answer;
        found.resolve();
        return pollWaits ? { after: reported.promise, answer } : answer;
      },
      report: (given, observation) => {
        if (!isEnd(given)) return [given];
        return [
          {
            ...markFaulted(edit(given, observation), observation),
            until: found.promise,
            onTried: reported.resolve,
          },
        ];
      },
    };
  },
};

interface Race {
  readonly edit: (given: Callback, observation: ReportObservation) => Callback;
  /** Whether the poll's answer waits until the callback has been answered. */
  readonly pollWaits: boolean;
}

const races: Readonly<Record<string, Race>> = {
  together: { edit: (given) => given, pollWaits: false },
  'report-first': { edit: (given) => given, pollWaits: true },
  'poll-first': {
    edit: (given, { waitMs }) => ({ ...given, afterMs: waitMs ?? behindMs }),
    pollWaits: false,
  },
  // The poll reports success, and the callback reports a failure.
  disagree: { edit: (given) => withReport(given, asFailed), pollWaits: false },
};
