import { GatewayError } from '../errors/gateway-error.ts';
import type { Gone } from '../gone.ts';
import type { ClientLeft, UpstreamFailure } from '../upstreams/outcome.ts';
import type { Standing } from '../work/instances.ts';
import type { CallTracker } from './call-tracker.ts';
import type { Channel } from './channel.ts';
import { choose, waitInQueue } from './choose.ts';
import { failurePolicy } from './failure-policy.ts';
import type { CallKind } from './health.ts';
import type { LiveChannel, TrackedCall } from './live-channel.ts';
import { minWaitMs, noChannel } from './refusal.ts';

/** The result of an upstream call of any kind; one that can be abandoned before its end has a `close`. */
export interface UpstreamResult {
  readonly kind: string;
  close?(): void;
}

/** The outcome of a request on the channels of one model. */
export type AttemptResult<Good extends UpstreamResult> = Attempted<Good> | NotAttempted;

export interface Attempted<Good extends UpstreamResult> {
  readonly kind: 'tried';
  readonly outcome: Good | UpstreamFailure | ClientLeft;
  /** Public id of the last attempt's channel; null when the caller disconnected before the first. */
  readonly channelId: string | null;
  readonly attempts: number;
  /** Milliseconds until a channel of the model may take a call again; 0 for now or unknown. */
  readonly waitMs: number;
  /** Closes anything still open, such as an unfinished stream. Safe to call again. */
  release(): void;
}

/** No channel took the request; no upstream was called. */
export interface NotAttempted {
  readonly kind: 'untried';
  readonly refusal: GatewayError;
}

export interface Attempting<Good extends UpstreamResult> {
  readonly channels: readonly LiveChannel[];
  readonly kind: CallKind;
  /** The channel for the first attempt if it takes the call; null to choose one. */
  readonly preferred: LiveChannel | null;
  readonly random: () => number;
  /** Delays an attempt until this process certainly counts as alive: meanwhile others may take the caller's slot. */
  readonly standing: Standing;
  /** Aborts when the caller disconnects: from then on nothing is awaited or started. */
  readonly gone: Gone;
  /** The user that calls: what it alone sees of an upstream concerns nobody else. */
  readonly witness: string;
  /** Ends the call of a caller who has left, when its channel needs the slot. */
  readonly cut: () => void;
  /** `isFresh`: use a new connection, because that of the previous attempt may have caused the failure. */
  readonly call: (channel: Channel, isFresh: boolean) => Promise<Good | UpstreamFailure | ClientLeft>;
  /** Reports to the call's tracker what the result shows about the channel, at once or when the result has ended. */
  readonly watch: (given: Good, tracker: CallTracker) => Good;
}

/** One call and one retry (B-106). */
const maxAttempts = 2;

/**
 * Calls the best channel, and once more if another attempt may help: on the best other channel. If none takes the
 * call, the same channel is called again, provided that its breaker admits it. Nothing has reached the caller
 * before this returns.
 */
export async function attempt<Good extends UpstreamResult>(
  attempting: Attempting<Good>,
): Promise<AttemptResult<Good>> {
  let last: Attempted<Good> | null = null;
  let previous: LiveChannel | null = null;
  for (let attempts = 1; attempts <= maxAttempts; attempts += 1) {
    const isFirst = attempts === 1 && attempting.standing.isCurrent;
    const admitted: TrackedCall | null =
      (isFirst ? beginPreferred(attempting) : null) ?? (await admitCertainly(attempting, previous, last));
    if (admitted === null) break;
    previous = admitted.live;
    last = await run(attempting, admitted, attempts);
    if (!isFailure(last.outcome)) break;
    // After a failure, the caller may call another process next, which must know of it by then.
    await previous.reported;
  }
  if (last !== null) return last;
  if (attempting.gone.aborted) return callerLeft;
  const { standing, channels, witness } = attempting;
  return {
    kind: 'untried',
    refusal: standing.isCurrent ? noChannel(channels, witness) : new GatewayError('internal_error'),
  };
}

const callerLeft: Attempted<never> = {
  kind: 'tried',
  outcome: { kind: 'client_left' },
  channelId: null,
  attempts: 0,
  waitMs: 0,
  release: () => {},
};

/** The first attempt, which usually does not wait. */
function beginPreferred<Good extends UpstreamResult>({
  kind,
  preferred,
  gone,
  witness,
}: Attempting<Good>): TrackedCall | null {
  return gone.aborted ? null : (preferred?.begin(kind, witness) ?? null);
}

/**
 * Permission for the next attempt, given only while this process certainly counts as alive; null if there is no next attempt.
 */
async function admitCertainly<Good extends UpstreamResult>(
  attempting: Attempting<Good>,
  previous: LiveChannel | null,
  last: Attempted<Good> | null,
): Promise<TrackedCall | null> {
  const { standing, gone } = attempting;
  for (;;) {
    if (!standing.isCurrent) await standing.rejoined(gone).catch(() => {});
    if (!standing.isCurrent) return null;
    const admitted = await admit(attempting, previous, last);
    if (admitted === null || standing.isCurrent) return admitted;
    // The process stopped counting as alive while the request waited in a queue.
    admitted.tracker.abandoned();
  }
}

/** Permission for the next attempt; null if there is no next attempt. */
async function admit<Good extends UpstreamResult>(
  { channels, kind, random, gone, witness }: Attempting<Good>,
  previous: LiveChannel | null,
  last: Attempted<Good> | null,
): Promise<TrackedCall | null> {
  if (gone.aborted) return null;
  const retry =
    last !== null && isFailure(last.outcome) ? failurePolicy[last.outcome.reason].retry : 'anywhere';
  if (retry === 'never') return null;
  const eligible = retry === 'elsewhere' ? channels.filter((live) => live !== previous) : channels;
  const choice = (): TrackedCall | null =>
    choose(eligible, { kind, random, previous, witness })?.begin(kind, witness) ?? null;
  // A request dismissed from a queue, because that channel failed, may still find another.
  return choice() ?? (await waitInQueue(eligible, kind, gone, witness)) ?? (gone.aborted ? null : choice());
}

async function run<Good extends UpstreamResult>(
  attempting: Attempting<Good>,
  { live: { channel }, tracker }: TrackedCall,
  attempts: number,
): Promise<Attempted<Good>> {
  const { channels, call, watch, gone, cut, witness } = attempting;
  let outcome: Good | UpstreamFailure | ClientLeft | null = null;
  const leave = (): void => tracker.left(cut);
  gone.addEventListener('abort', leave, { once: true });
  try {
    outcome = settle(await call(channel, attempts > 1), tracker, watch);
  } finally {
    if (outcome === null) tracker.abandoned();
    if (tracker.isOver) gone.removeEventListener('abort', leave);
  }
  const given = isFailure(outcome) || hasLeft(outcome) ? null : outcome;
  return {
    kind: 'tried',
    outcome,
    channelId: channel.id,
    attempts,
    waitMs: isFailure(outcome) ? minWaitMs(channels, witness) : 0,
    release: () => {
      gone.removeEventListener('abort', leave);
      if (tracker.isOver) return;
      tracker.abandoned();
      given?.close?.();
    },
  };
}

/** Reports the outcome of the call to the channel. */
function settle<Good extends UpstreamResult>(
  outcome: Good | UpstreamFailure | ClientLeft,
  tracker: CallTracker,
  watch: (given: Good, tracker: CallTracker) => Good,
): Good | UpstreamFailure | ClientLeft {
  if (hasLeft(outcome)) {
    tracker.abandoned();
    return outcome;
  }
  if (!isFailure(outcome)) return watch(outcome, tracker);
  tracker.failed(outcome);
  return outcome;
}

/** For a result that is complete at once: counts it as a success of the channel. */
export function watchComplete<Good extends UpstreamResult>(given: Good, tracker: CallTracker): Good {
  tracker.answered();
  tracker.succeeded();
  return given;
}

function isFailure(outcome: UpstreamResult): outcome is UpstreamFailure {
  return outcome.kind === 'failure';
}

function hasLeft(outcome: UpstreamResult): outcome is ClientLeft {
  return outcome.kind === 'client_left';
}
