import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { badCallback, needsCallback } from './edit-callback.ts';

/** How long after its first time a report comes once more, ms: more than 301 seconds, whatever parts of them are cut off and however clocks differ. */
const replayAfterMs = 302_500;

/** Reports are well signed and come at another time than they say. */
export const stale: Fault = {
  id: 'W6',
  kind: 'job',
  needs: needsCallback,
  plan: (context): JobFault => ({ report: ofForm(context, reports) }),
};

type Reporting = NonNullable<JobFault['report']>;

const reports: Readonly<Record<string, Reporting>> = {
  old: off(-360),
  ahead: off(600),
  'barely-old': off(-302),
  // One more than may be: a second may pass on the way.
  'barely-ahead': off(305),
  milliseconds: timed((nowMs) => String(Math.floor(nowMs))),
  'no-number': timed((nowMs) => new Date(nowMs).toISOString()),
  // A good report, and the same bytes again when they are old.
  replayed: (given, observation) => {
    const once = { ...given, timestamp: secondsOf(observation.nowMs) };
    return [once, { ...badCallback(once, observation), afterMs: observation.waitMs ?? replayAfterMs }];
  },
};

/** So many seconds off the time of sending. */
function off(seconds: number): Reporting {
  return timed((nowMs) => secondsOf(nowMs + seconds * 1000));
}

function timed(timestampAt: (nowMs: number) => string): Reporting {
  return (given, observation) => [
    { ...badCallback(given, observation), timestamp: timestampAt(observation.nowMs) },
  ];
}

function secondsOf(ms: number): string {
  return String(Math.floor(ms / 1000));
}
