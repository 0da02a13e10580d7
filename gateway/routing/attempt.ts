import type { GatewayError } from '../errors/gateway-error.ts';
import type { ClientLeft, UpstreamFailure } from '../upstreams/outcome.ts';
import type { Channel } from './channel.ts';
import { choose, waitInTurn } from './choose.ts';
import { failurePolicy } from './failure-policy.ts';
import type { CallKind } from './health.ts';
import type { LiveChannel, LiveTrial } from './live-channel.ts';
import { leastWaitMs, noChannel } from './refusal.ts';
import type { Trial } from './trial.ts';

/** What an upstream gives, whatever it is; what can be left before its end has a `close`. */
export interface Given {
  readonly kind: string;
  close?(): void;
}

/** What came of a request at the channels of one model. */
export type AttemptResult<Good extends Given> = Tried<Good> | Untried;

export interface Tried<Good extends Given> {
  readonly kind: 'tried';
  readonly outcome: Good | UpstreamFailure | ClientLeft;
  /** Public id of the channel of the last attempt; null when the caller left before the first. */
  readonly channelId: string | null;
  readonly attempts: number;
  /** In how many milliseconds some channel of the model may take a call again; 0 for now or unknown. */
  readonly waitMs: number;
  /** Lets go of what still runs: a stream that nobody reads to its end. Harmless afterwards. */
  letGo(): void;
}

/** No channel took the request; no upstream was called. */
export interface Untried {
  readonly kind: 'untried';
  readonly refusal: GatewayError;
}

export interface Attempting<Good extends Given> {
  readonly channels: readonly LiveChannel[];
  readonly kind: CallKind;
  /** For the first attempt, when it takes the call; null to choose. */
  readonly preferred: LiveChannel | null;
  readonly random: () => number;
  /** Aborts when the caller is gone: nothing is waited for or begun any more. */
  readonly gone: AbortSignal;
  /** `isFresh`: on a connection of its own, for the one of the attempt before may have been at fault. */
  readonly call: (channel: Channel, isFresh: boolean) => Promise<Good | UpstreamFailure | ClientLeft>;
  /** Tells the trial of a call what was given says about the channel: at once, or when it has come to its end. */
  readonly watch: (given: Good, trial: Trial) => Good;
}

/** One call and one retry (B-106). */
const maxAttempts = 2;

/**
 * Calls the best channel and, when its failure may be another's success, a second time: on the best other channel, or
 * on the same one when no other takes it and its own breaker still does. Nothing has reached the caller before this
 * returns.
 */
export async function attempt<Good extends Given>(
  attempting: Attempting<Good>,
): Promise<AttemptResult<Good>> {
  let last: Tried<Good> | null = null;
  let tried: LiveChannel | null = null;
  for (let attempts = 1; attempts <= maxAttempts; attempts += 1) {
    const admitted: LiveTrial | null = await admit(attempting, tried, last);
    if (admitted === null) break;
    tried = admitted.live;
    last = await run(attempting, admitted, attempts);
    if (!isFailure(last.outcome)) break;
  }
  if (last !== null) return last;
  return attempting.gone.aborted ? callerLeft : { kind: 'untried', refusal: noChannel(attempting.channels) };
}

const callerLeft: Tried<never> = {
  kind: 'tried',
  outcome: { kind: 'client_left' },
  channelId: null,
  attempts: 0,
  waitMs: 0,
  letGo: () => {},
};

/** Leave for the next attempt; null when there is to be none. */
async function admit<Good extends Given>(
  { channels, kind, preferred, random, gone }: Attempting<Good>,
  tried: LiveChannel | null,
  last: Tried<Good> | null,
): Promise<LiveTrial | null> {
  if (gone.aborted) return null;
  const retry =
    last !== null && isFailure(last.outcome) ? failurePolicy[last.outcome.reason].retry : 'anywhere';
  if (retry === 'never') return null;
  const eligible = retry === 'elsewhere' ? channels.filter((live) => live !== tried) : channels;
  const choice = (): LiveTrial | null => choose(eligible, { kind, random, tried })?.begin(kind) ?? null;
  const begin = (): LiveTrial | null => {
    const first = tried === null ? preferred?.begin(kind) : null;
    return first ?? choice();
  };
  // Whoever was sent away from a queue, because its channel failed, may find another.
  return begin() ?? (await waitInTurn(eligible, kind, gone)) ?? (gone.aborted ? null : choice());
}

async function run<Good extends Given>(
  { channels, call, watch }: Attempting<Good>,
  { live: { channel }, trial }: LiveTrial,
  attempts: number,
): Promise<Tried<Good>> {
  let outcome: Good | UpstreamFailure | ClientLeft | null = null;
  try {
    outcome = settle(await call(channel, attempts > 1), trial, watch);
  } finally {
    if (outcome === null) trial.abandoned();
  }
  const given = isFailure(outcome) || hasLeft(outcome) ? null : outcome;
  return {
    kind: 'tried',
    outcome,
    channelId: channel.id,
    attempts,
    waitMs: isFailure(outcome) ? leastWaitMs(channels) : 0,
    letGo: () => {
      if (trial.isOver) return;
      trial.abandoned();
      given?.close?.();
    },
  };
}

/** Tells the channel what came of the call. */
function settle<Good extends Given>(
  outcome: Good | UpstreamFailure | ClientLeft,
  trial: Trial,
  watch: (given: Good, trial: Trial) => Good,
): Good | UpstreamFailure | ClientLeft {
  if (hasLeft(outcome)) {
    trial.abandoned();
    return outcome;
  }
  if (!isFailure(outcome)) return watch(outcome, trial);
  if (outcome.isStale) trial.abandoned();
  else trial.failed(outcome);
  return outcome;
}

/** What is there at once and whole, and so speaks for the channel. */
export function watchWhole<Good extends Given>(given: Good, trial: Trial): Good {
  trial.answered();
  trial.succeeded();
  return given;
}

function isFailure(outcome: Given): outcome is UpstreamFailure {
  return outcome.kind === 'failure';
}

function hasLeft(outcome: Given): outcome is ClientLeft {
  return outcome.kind === 'client_left';
}
