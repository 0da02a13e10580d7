import type { Clock } from '../clock.ts';

export interface CapacityLimits {
  /** Calls at once; null for any number. */
  readonly capacity: number | null;
  /** Requests that may wait for one of them to end, and how long each. */
  readonly queueLength: number;
  readonly queueWaitMs: number;
}

/** The room of a channel: so many calls at once, so many requests that wait in turn. */
export class Capacity {
  readonly #limits: CapacityLimits;
  readonly #clock: Clock;
  readonly #waiting = new Set<(hasRoom: boolean) => void>();
  #inFlight = 0;

  constructor(limits: CapacityLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get isFree(): boolean {
    return this.#limits.capacity === null || this.#inFlight < this.#limits.capacity;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get takesWaiting(): boolean {
    return this.#waiting.size < this.#limits.queueLength;
  }

  take(): void {
    this.#inFlight += 1;
  }

  /** A call is over: its room goes to the one that waits longest, before anybody who comes now. */
  giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#inFlight -= 1;
    else next(true);
  }

  /** Waits for room. True: it has been taken for the caller. False: too long, sent away, or `gone` has aborted. */
  wait(gone: AbortSignal): Promise<boolean> {
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

  /** Nobody has anything to wait for here any more. */
  sendAway(): void {
    for (const end of [...this.#waiting]) end(false);
  }
}
