import type { Clock } from '../clock.ts';
import type { UpstreamFailure } from '../upstreams/outcome.ts';

/** One call on a channel, from its admission to its outcome. The first outcome counts, any other is ignored. */
export interface CallTracker {
  /** The whole plain answer or the first piece of a stream is here: the wait since the admission is over. */
  answered(): void;
  /** A part of a stream goes to the caller; until `asked` it is the caller who keeps the stream waiting. */
  handedOver(): void;
  asked(): void;
  succeeded(): void;
  failed(failure: UpstreamFailure): void;
  /** It came to nothing that says anything about the channel. */
  abandoned(): void;
  /** Whether one of the three has been said. */
  readonly isOver: boolean;
}

/** What a channel does with what its calls come to; `over` follows each of the last three. */
export interface CallEffects {
  answered(waitMs: number): void;
  /** A stream has been going on for long, and still does. */
  flows(): void;
  succeeded(): void;
  failed(failure: UpstreamFailure): void;
  abandoned(): void;
  over(): void;
}

/**
 * A stream that its caller keeps waiting for longer than this says nothing about its channel any more: its upstream may
 * break it off for that, and a probe must not wait for somebody who does not read.
 */
const slowCallerMs = 5_000;
/** A stream that still brings something after this has shown that its channel works: who knows when it ends. */
const flowingMs = 10_000;

/** Begins a trial. After `maxMs` it is abandoned by itself: the call has ended long ago, only nobody looked. */
export function trackCall(clock: Clock, maxMs: number, effects: CallEffects): CallTracker {
  const beganMs = clock.now();
  let isOver = false;
  /** Whether what comes of it still says something. */
  let counts = true;
  let waiting: { cancel(): void } | null = null;
  const asked = (): void => {
    waiting?.cancel();
    waiting = null;
  };
  const disregard = (): void => {
    counts = false;
    effects.abandoned();
  };
  const end = (effect: () => void): void => {
    if (isOver) return;
    isOver = true;
    asked();
    late.cancel();
    if (counts) effect();
    effects.over();
  };
  const abandoned = (): void => end(() => effects.abandoned());
  const late = clock.schedule(maxMs, abandoned);
  return {
    answered: () => effects.answered(clock.now() - beganMs),
    handedOver: () => {
      asked();
      if (isOver || !counts) return;
      if (clock.now() - beganMs >= flowingMs) effects.flows();
      waiting = clock.schedule(slowCallerMs, disregard);
    },
    asked,
    succeeded: () => end(() => effects.succeeded()),
    failed: (failure) => end(() => effects.failed(failure)),
    abandoned,
    get isOver() {
      return isOver;
    },
  };
}
