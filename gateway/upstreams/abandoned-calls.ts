import type { Clock } from '../clock.ts';
import type { AbandonedLimits } from '../config.ts';
import { type Gone, Leaving } from '../gone.ts';

/** The user of a call, and the bytes of its request in memory. */
export interface CallOwner {
  readonly userId: string;
  readonly bytes: number;
}

/** An upstream call that may outlive its caller. */
export interface OutlivingCall {
  /** Aborts when the call must end. */
  readonly cut: Gone;
  /** Cuts it now. */
  end(): void;
  /** The call has ended. */
  over(): void;
}

/**
 * Upstream calls whose callers have disconnected. They continue for a while, so that the upstream's own count is charged
 * (B-36). Limits apply to time, number, number per user and memory. A call beyond a limit is cut when its caller leaves.
 */
export class AbandonedCalls {
  readonly #limits: AbandonedLimits;
  readonly #clock: Pick<Clock, 'schedule'>;
  readonly #calls = new Map<Leaving, CallOwner>();
  #isClosed = false;

  constructor(limits: AbandonedLimits, clock: Pick<Clock, 'schedule'>) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Follows a call whose caller leaves when `gone` aborts. */
  follow(gone: Gone, owner: CallOwner): OutlivingCall {
    const cut = new Leaving();
    let late: { cancel(): void } | null = null;
    const leave = (): void => {
      if (!this.#takes(owner)) {
        cut.abort();
        return;
      }
      this.#calls.set(cut, owner);
      late = this.#clock.schedule(this.#limits.time_ms, () => cut.abort());
    };
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
    return {
      cut,
      end: () => cut.abort(),
      over: () => {
        gone.removeEventListener('abort', leave);
        late?.cancel();
        this.#calls.delete(cut);
      },
    };
  }

  /** Cuts all abandoned calls now, and later ones at once, because the process is ending. */
  close(): void {
    this.#isClosed = true;
    for (const cut of this.#calls.keys()) cut.abort();
  }

  #takes({ userId, bytes }: CallOwner): boolean {
    const { calls, calls_per_user: perUser, bytes: most } = this.#limits;
    const owners = [...this.#calls.values()];
    return (
      !this.#isClosed &&
      owners.length < calls &&
      owners.filter((owner) => owner.userId === userId).length < perUser &&
      owners.reduce((sum, owner) => sum + owner.bytes, bytes) <= most
    );
  }
}
