import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Gone } from '../gone.ts';

/** Bodies up to this size are not counted, because the users' slots limit their number. */
const uncountedBytes = 64 * 1024;
/** How long a body waits for room before it is rejected, and when to try again. */
const longestWaitMs = 5_000;
const retryAfterS = 1;

/** The share of one body in the budget. */
export interface BodyShare {
  /** Grows the share of a body of undeclared length to this many bytes; false when there is no room. */
  grow(bytes: number): boolean;
  /** Gives everything back; may be called again. */
  release(): void;
}

interface Waiting {
  readonly who: string;
  readonly bytes: number;
  readonly admit: () => void;
}

/** A user may hold at most this many times what is still free: of an empty budget, three quarters. */
const timesTheRest = 3;

/**
 * Limits the bytes of all bodies that are being read or processed. A body that does not fit waits unread, the oldest first,
 * and none overtakes it, so that small bodies cannot block a large one forever. Exception: a body that waits only because of
 * its own user's share does not block others. Otherwise a user who announces bodies without sending them would block
 * everyone.
 */
export class BodyBudget {
  readonly #maxBytes: number;
  readonly #clock: Pick<Clock, 'schedule'>;
  readonly #queue: Waiting[] = [];
  /** The bytes that each user holds. */
  readonly #parts = new Map<string, number>();
  #taken = 0;

  constructor(maxBytes: number, clock: Pick<Clock, 'schedule'>) {
    this.#maxBytes = maxBytes;
    this.#clock = clock;
  }

  /** The bytes of all bodies that are counted now. */
  get taken(): number {
    return this.#taken;
  }

  /** Waits for room for a user's body of a known length; null if it is unknown. Rejects after a while, or when `gone`. */
  async share(who: string, bytes: number | null, gone: Gone): Promise<BodyShare> {
    const counted = countedOf(bytes ?? 0);
    if (counted > 0) await this.#admission(who, counted, gone);
    return this.#shareOf(who, counted);
  }

  #shareOf(who: string, first: number): BodyShare {
    let told = first;
    let isOver = false;
    return {
      grow: (bytes) => {
        const more = countedOf(bytes) - told;
        if (more <= 0 || isOver) return true;
        if (!this.#isNext(who) || !this.#fits(who, more)) return false;
        this.#take(who, more);
        told += more;
        return true;
      },
      release: () => {
        if (isOver) return;
        isOver = true;
        this.#take(who, -told);
        this.#admitNext();
      },
    };
  }

  #admission(who: string, bytes: number, gone: Gone): Promise<void> {
    if (this.#isNext(who) && this.#fits(who, bytes)) {
      this.#take(who, bytes);
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
      const waiting = { who, bytes, admit };
      this.#queue.push(waiting);
      gone.addEventListener('abort', leave, { once: true });
    });
  }

  /** Whether all waiting bodies are of other users, and each waits only because of its own user's share. */
  #isNext(who: string): boolean {
    return this.#queue.every((other) => other.who !== who && this.#waitsForHimself(other));
  }

  #take(who: string, bytes: number): void {
    this.#taken += bytes;
    const part = this.#partOf(who) + bytes;
    if (part === 0) this.#parts.delete(who);
    else this.#parts.set(who, part);
  }

  #partOf(who: string): number {
    return this.#parts.get(who) ?? 0;
  }

  #fits(who: string, bytes: number): boolean {
    const part = this.#partOf(who);
    return this.#hasRoom(this.#taken - part, part + bytes) || this.#taken === 0;
  }

  /** Whether only its own user's share keeps a body waiting. */
  #waitsForHimself({ who, bytes }: Waiting): boolean {
    const others = this.#taken - this.#partOf(who);
    return !this.#fits(who, bytes) && (others === 0 || this.#hasRoom(others, bytes));
  }

  /**
   * Whether a user may hold this many bytes, given what others hold. A body larger than the whole budget is admitted alone.
   */
  #hasRoom(others: number, own: number): boolean {
    return own <= timesTheRest * (this.#maxBytes - others - own);
  }

  /** Admits each user's oldest body in turn, up to the first that waits for room which others hold. */
  #admitNext(): void {
    const passed = new Set<string>();
    for (const next of [...this.#queue]) {
      if (passed.has(next.who)) continue;
      if (this.#fits(next.who, next.bytes)) {
        this.#queue.splice(this.#queue.indexOf(next), 1);
        this.#take(next.who, next.bytes);
        next.admit();
      } else if (this.#waitsForHimself(next)) passed.add(next.who);
      else return;
    }
  }
}

function countedOf(bytes: number): number {
  return bytes <= uncountedBytes ? 0 : bytes;
}

/** The error for a body that finds no room. */
export function noRoom(): GatewayError {
  const message = 'The bodies of other requests leave no room for this one right now.';
  return new GatewayError('channel_queue_full', { message, retryAfterS });
}
