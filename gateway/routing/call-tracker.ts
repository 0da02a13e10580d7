import type { Clock } from '../clock.ts';
import type { UpstreamFailure } from '../upstreams/outcome.ts';

/** Tracks one call on a channel from admission to outcome. The first outcome counts; later ones are ignored. */
export interface CallTracker {
  /** The whole non-streamed answer, or the first piece of a stream, has arrived: the latency is known. */
  answered(): void;
  /** A piece of a stream goes to the caller. Until `asked` is called, the stream waits for the caller. */
  handedOver(): void;
  asked(): void;
  /** The caller has left. The outcome no longer counts, and `cut` ends the call when its slot is needed. */
  left(cut: () => void): void;
  succeeded(): void;
  failed(failure: UpstreamFailure): void;
  /** The outcome says nothing about the channel. */
  abandoned(): void;
  /** Whether one of the three outcomes has been reported. */
  readonly isOver: boolean;
}

/** The channel's reactions to its calls. `over` comes last. */
export interface CallEffects {
  answered(waitMs: number): void;
  /** A stream has lasted for long and still delivers. */
  flows(): void;
  succeeded(): void;
  failed(failure: UpstreamFailure): void;
  abandoned(): void;
  /** The call goes on without its caller; `giveUp` ends it. */
  left(giveUp: () => void): void;
  over(): void;
}

/**
 * After its caller has kept a stream waiting for longer than this, the stream says nothing about its channel. Its
 * upstream may abort it for that reason, and a probe must not wait for a slow reader.
 */
const slowCallerMs = 5_000;
/** A stream that still delivers after this time has shown that its channel works; its end may be far off. */
const flowingMs = 10_000;

/** Starts tracking a call. After `maxMs` it counts as abandoned: it must have ended without a report. */
export function trackCall(clock: Clock, maxMs: number, effects: CallEffects): CallTracker {
  const beganMs = clock.monotonic();
  let isOver = false;
  /** Whether the outcome still counts for the channel. */
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
    answered: () => effects.answered(clock.monotonic() - beganMs),
    handedOver: () => {
      asked();
      if (isOver || !counts) return;
      if (clock.monotonic() - beganMs >= flowingMs) effects.flows();
      waiting = clock.schedule(slowCallerMs, disregard);
    },
    asked,
    left: (cut) => {
      if (isOver) return;
      if (counts) disregard();
      effects.left(() => {
        cut();
        abandoned();
      });
    },
    succeeded: () => end(() => effects.succeeded()),
    failed: (failure) => end(() => effects.failed(failure)),
    abandoned,
    get isOver() {
      return isOver;
    },
  };
}
