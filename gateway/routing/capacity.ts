import type { Clock } from '../clock.ts';
import type { Gone } from '../gone.ts';

export interface CapacityLimits {
  /** Maximum of calls at the same time; null for no limit. */
  readonly capacity: number | null;
  /** How many requests may wait for a free slot, and how long each may wait. */
  readonly queueLength: number;
  readonly queueWaitMs: number;
}

/** The call slots of a channel, and the queue of the requests that wait for one. */
export class Capacity {
  readonly #limits: CapacityLimits;
  readonly #clock: Clock;
  readonly #waiting = new Set<(hasRoom: boolean) => void>();
  /** Ends each of the calls that go on without their callers. */
  readonly #left = new Set<() => void>();
  #inFlight = 0;

  constructor(limits: CapacityLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get isFree(): boolean {
    return this.#hasRoom || this.#left.size > 0;
  }

  get #hasRoom(): boolean {
    return this.#limits.capacity === null || this.#inFlight < this.#limits.capacity;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get takesWaiting(): boolean {
    return this.#waiting.size < this.#limits.queueLength;
  }

  /** Takes a slot; if none is free, ends a call whose caller has left. */
  take(): void {
    const [giveUp] = this.#hasRoom ? [] : this.#left;
    giveUp?.();
    this.#inFlight += 1;
  }

  /** The caller of a call has left: `giveUp` ends the call when its slot is needed. */
  leave(giveUp: () => void): void {
    if (this.#waiting.size > 0) giveUp();
    else this.#left.add(giveUp);
  }

  /** Frees the slot of a finished call. The request that has waited longest gets it, before any newcomer. */
  giveBack(giveUp: (() => void) | null = null): void {
    if (giveUp !== null) this.#left.delete(giveUp);
    const [next] = this.#waiting;
    if (next === undefined) this.#inFlight -= 1;
    else next(true);
  }

  /** Waits for a slot. True: the caller now owns one. False: the wait timed out, was dismissed, or `gone` aborted. */
  wait(gone: Gone): Promise<boolean> {
    if (gone.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (hasRoom: boolean): void => {
        this.#waiting.delete(end);
        late.cancel();
        gone.removeEventListener('abort', leave);
        resolve(hasRoom);
      };
      const leave = (): void => end(false);
      const late = this.#clock.schedule(this.#limits.queueWaitMs, leave);
      gone.addEventListener('abort', leave, { once: true });
      this.#waiting.add(end);
    });
  }

  /** Dismisses all waiting requests, because this channel can no longer serve them. */
  sendAway(): void {
    for (const end of [...this.#waiting]) end(false);
  }
}
