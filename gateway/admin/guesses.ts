import { isIPv6 } from 'node:net';
import type { Clock } from '../clock.ts';
import type { GuessLimits } from '../config/admin.ts';

export interface GuessesDeps {
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly limits: GuessLimits;
  /** Called for each wrong token. */
  readonly onGuess?: () => void;
  /** Called for wrong tokens of an address with growing gaps: for the first, second, fourth, eighth … */
  readonly onGuesses: (address: string, guesses: number) => void;
  readonly maxAddresses?: number;
}

/** State of an address that sent wrong tokens. */
interface Suspect {
  guesses: number;
  /** When all its guesses are forgotten. */
  cleanAtMs: number;
  waiting: number;
  lastTurn: Promise<unknown>;
}

/** How many addresses are remembered. The oldest is dropped first. */
const usualAddresses = 10_000;
/** How many tries of one address may wait for their turn. */
const maxWaiting = 8;

/** An address has too many tries waiting. */
export class TooManyTries extends Error {
  readonly retryAfterMs: number;
  constructor(retryAfterMs: number) {
    super('too many tries are waiting');
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Slows down token guessing per address, so that no caller can lock others out. Each wrong token costs an address one of its
 * free tries, which return over time. Without free tries, its tokens, right or wrong, are checked one at a time.
 */
export class Guesses {
  readonly #deps: GuessesDeps;
  readonly #suspects = new Map<string, Suspect>();

  constructor(deps: GuessesDeps) {
    this.#deps = deps;
  }

  /**
   * Runs `find` at once, or when it is the address's turn, and returns its result; null counts as a wrong guess.
   * @throws TooManyTries
   */
  async judge<Found>(address: string, find: () => Found | null): Promise<Found | null> {
    const key = networkOf(address);
    const suspect = this.#suspects.get(key);
    if (suspect === undefined || (suspect.waiting === 0 && this.#waitOf(suspect) === 0))
      return this.#look(key, address, find);
    if (suspect.waiting >= maxWaiting) throw new TooManyTries(this.#waitOf(suspect));
    suspect.waiting += 1;
    const turn = suspect.lastTurn.then(async () => {
      await this.#deps.clock.sleep(this.#waitOf(suspect));
      suspect.waiting -= 1;
      return this.#look(key, address, find);
    });
    suspect.lastTurn = turn.catch(() => {});
    return turn;
  }

  #look<Found>(key: string, address: string, find: () => Found | null): Found | null {
    const found = find();
    if (found === null) this.#count(key, address);
    return found;
  }

  #count(key: string, address: string): void {
    const { clock, limits, onGuess, onGuesses, maxAddresses = usualAddresses } = this.#deps;
    const now = clock.monotonic();
    onGuess?.();
    const known = this.#suspects.get(key);
    const suspect = known ?? { guesses: 0, cleanAtMs: now, waiting: 0, lastTurn: Promise.resolve() };
    if (suspect.cleanAtMs <= now) suspect.guesses = 0;
    suspect.guesses += 1;
    suspect.cleanAtMs = Math.max(now, suspect.cleanAtMs) + limits.every_ms;
    if (known === undefined) {
      const [first] = this.#suspects.keys();
      if (first !== undefined && this.#suspects.size >= maxAddresses) this.#suspects.delete(first);
      this.#suspects.set(key, suspect);
    }
    if (Number.isInteger(Math.log2(suspect.guesses))) onGuesses(address, suspect.guesses);
  }

  /** How long the address has to wait for its next try, ms. */
  #waitOf({ cleanAtMs }: Suspect): number {
    const { clock, limits } = this.#deps;
    const free = (limits.free - 1) * limits.every_ms;
    return Math.max(0, cleanAtMs - free - clock.monotonic());
  }
}

/** One caller can use many IPv6 addresses, so the first 64 bits identify the caller. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const whole =
    tail === undefined ? groups : [...groups, ...Array(8 - groups.length - rest.length).fill('0'), ...rest];
  return whole.slice(0, 4).join(':');
}
