import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors/gateway-error.ts';

/** Bodies up to this size are not counted: the slots of users bound their number. */
const uncountedBytes = 64 * 1024;
/** How long a body waits for its turn before it is refused, and when to try again. */
const longestWaitMs = 5_000;
const retryAfterS = 1;

/** What one body has of the budget. */
export interface BodyShare {
  /** Takes more for a body that told no length, which now has so many bytes; false when there is no more. */
  grow(bytes: number): boolean;
  /** Gives everything back; may be called again. */
  release(): void;
}

interface Waiting {
  readonly bytes: number;
  readonly admit: () => void;
}

/**
 * A bound on the bytes of all bodies that are being read or worked on. Who does not fit waits unread, the oldest goes
 * first, and nobody passes it: otherwise small bodies could keep a large one out for ever.
 */
export class BodyBudget {
  readonly #maxBytes: number;
  readonly #clock: Pick<Clock, 'schedule'>;
  readonly #queue: Waiting[] = [];
  #taken = 0;

  constructor(maxBytes: number, clock: Pick<Clock, 'schedule'>) {
    this.#maxBytes = maxBytes;
    this.#clock = clock;
  }

  /** The bytes of all bodies that are counted now. */
  get taken(): number {
    return this.#taken;
  }

  /** Waits for room for a body of a known length; null when it told none. Refuses after a while, or when `gone`. */
  async share(bytes: number | null, gone: AbortSignal): Promise<BodyShare> {
    const counted = countedOf(bytes ?? 0);
    if (counted > 0) await this.#admission(counted, gone);
    return this.#shareOf(counted);
  }

  #shareOf(first: number): BodyShare {
    let told = first;
    let isOver = false;
    return {
      grow: (bytes) => {
        const more = countedOf(bytes) - told;
        if (more <= 0 || isOver) return true;
        if (this.#queue.length > 0 || this.#taken + more > this.#maxBytes) return false;
        this.#taken += more;
        told += more;
        return true;
      },
      release: () => {
        if (isOver) return;
        isOver = true;
        this.#taken -= told;
        this.#admitNext();
      },
    };
  }

  #admission(bytes: number, gone: AbortSignal): Promise<void> {
    if (this.#queue.length === 0 && this.#fits(bytes)) {
      this.#taken += bytes;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        end();
        const at = this.#queue.indexOf(waiting);
        if (at !== -1) this.#queue.splice(at, 1);
        reject(noRoom());
        this.#admitNext();
      };
      const late = this.#clock.schedule(longestWaitMs, leave);
      const end = (): void => {
        late.cancel();
        gone.removeEventListener('abort', leave);
      };
      const admit = (): void => {
        end();
        resolve();
      };
      const waiting = { bytes, admit };
      this.#queue.push(waiting);
      gone.addEventListener('abort', leave, { once: true });
    });
  }

  /** A body that is larger than the whole budget is taken alone. */
  #fits(bytes: number): boolean {
    return this.#taken === 0 || this.#taken + bytes <= this.#maxBytes;
  }

  #admitNext(): void {
    for (let next = this.#queue[0]; next !== undefined && this.#fits(next.bytes); next = this.#queue[0]) {
      this.#queue.shift();
      this.#taken += next.bytes;
      next.admit();
    }
  }
}

function countedOf(bytes: number): number {
  return bytes <= uncountedBytes ? 0 : bytes;
}

/** The refusal of a body that there is no room for. */
export function noRoom(): GatewayError {
  const message = 'The bodies of other requests leave no room for this one right now.';
  return new GatewayError('channel_queue_full', { message, retryAfterS });
}
