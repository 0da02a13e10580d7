import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Gone } from '../gone.ts';

/** Bodies up to this size are not counted: the slots of users bound their number. */
const uncountedBytes = 64 * 1024;
/** How long a body waits for its turn before it is refused, and when to try again. */
const longestWaitMs = 5_000;
const retryAfterS = 1;

/** What one body has of the budget. */
export interface BodyShare {
  /** Takes more for a body of undeclared length, which now has so many bytes; false when there is no more. */
  grow(bytes: number): boolean;
  /** Gives everything back; may be called again. */
  release(): void;
}

interface Waiting {
  readonly who: string;
  readonly bytes: number;
  readonly admit: () => void;
}

/** Nobody has more than so many times what is free beside him: of an empty budget three quarters. */
const timesTheRest = 3;

/**
 * A bound on the bytes of all bodies that are being read or worked on. Who does not fit waits unread, the oldest goes
 * first, and nobody passes it: otherwise small bodies could keep a large one out for ever. But who has his part already
 * waits for himself alone: otherwise one user who announces bodies and does not send them could keep out all others.
 */
export class BodyBudget {
  readonly #maxBytes: number;
  readonly #clock: Pick<Clock, 'schedule'>;
  readonly #queue: Waiting[] = [];
  /** What each user has of it. */
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

  /** Waits for room for a user's body of a known length; null when it told none. Refuses after a while, or when `gone`. */
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

  /** Whether all who wait are others, and each for himself. */
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

  /** Whether it is what he has himself that keeps his next body out. */
  #waitsForHimself({ who, bytes }: Waiting): boolean {
    const others = this.#taken - this.#partOf(who);
    return !this.#fits(who, bytes) && (others === 0 || this.#hasRoom(others, bytes));
  }

  /** Whether a user may have so much beside what others have. A body larger than the whole budget is taken alone. */
  #hasRoom(others: number, own: number): boolean {
    return own <= timesTheRest * (this.#maxBytes - others - own);
  }

  /** Each user's oldest in turn, up to the first that waits for room which others have. */
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

/** The refusal of a body that there is no room for. */
export function noRoom(): GatewayError {
  const message = 'The bodies of other requests leave no room for this one right now.';
  return new GatewayError('channel_queue_full', { message, retryAfterS });
}
