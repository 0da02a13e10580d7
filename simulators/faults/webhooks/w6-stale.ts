import type { Fault, JobFault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';
import { badCallback, needsCallback } from './edit-callback.ts';

/** How long after the first callback it is sent again, ms: over 301 s, regardless of rounding and clock differences. */
const replayAfterMs = 302_500;

/** Callbacks have a valid signature, but their timestamp differs from the time of sending. */
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
  // Beyond the limit, with a margin for the time in transit.
  'barely-ahead': off(305),
  milliseconds: timed((nowMs) => String(Math.floor(nowMs))),
  'no-number': timed((nowMs) => new Date(nowMs).toISOString()),
  // A valid callback, then the same bytes again when they are too old.
  replayed: (given, observation) => {
    const once = { ...given, timestamp: secondsOf(observation.nowMs) };
    return [once, { ...badCallback(once, observation), afterMs: observation.waitMs ?? replayAfterMs }];
  },
};

/** A timestamp that is the given number of seconds off the time of sending. */
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
