import { UsageError } from '../process/exit-codes.ts';
import { Untestable } from '../rules/violation.ts';
import { parseJson } from '../values/json.ts';

/** The clock and the timer of the judge. */
export interface JudgeClock {
  /** Unix milliseconds. */
  now(): number;
  wait(ms: number): Promise<void>;
}

/** How long an effect may take to become visible, ms. */
const maxWaitMs = 5_000;
const betweenReadsMs = 50;

/** Preferred members for the number of effects, when an object has several candidates. */
const likelyMembers = ['processed', 'effects', 'count', 'total', 'events'];

/** The effects that a receiver itself reports: how many events it has processed. */
export class Effects {
  readonly #read: () => Promise<number>;
  readonly #clock: JudgeClock;
  #last = 0;
  /** The longest time until an effect was visible, ms; 0 while effects are visible with the answer. */
  #latestMs = 0;

  constructor(read: () => Promise<number>, clock: JudgeClock) {
    this.#read = read;
    this.#clock = clock;
  }

  /** Forgets the effects so far. */
  async begin(): Promise<void> {
    this.#last = await this.#read();
  }

  /**
   * How many effects there were since the last call.
   * It waits for `expected` effects. If effects become visible late, it also waits for unexpected ones.
   */
  async since(expected: number): Promise<number> {
    const start = this.#clock.now();
    let count = await this.#read();
    while (count - this.#last < expected && this.#clock.now() - start < maxWaitMs) {
      await this.#clock.wait(betweenReadsMs);
      count = await this.#read();
      if (count - this.#last >= expected)
        this.#latestMs = Math.max(this.#latestMs, this.#clock.now() - start);
    }
    if (this.#latestMs > 0) {
      await this.#clock.wait(2 * this.#latestMs);
      count = await this.#read();
    }
    const before = this.#last;
    this.#last = count;
    if (count < before) throw new Untestable(`effects that only grow (they went from ${before} to ${count})`);
    return count - before;
  }
}

/**
 * The number in an effects answer: a plain number, a JSON number, the length of a list, or a member that is one
 * of these.
 */
export function effectsIn(text: string, url: string): number {
  const found = countIn(parseJson(text));
  if (found === null)
    throw new UsageError(
      `--effects ${url} answers neither a number nor JSON with a number or a list: ${text.slice(0, 80)}`,
    );
  return found;
}

function countIn(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || value === null) return null;
  const members = Object.entries(value).filter(([, one]) => typeof one === 'number' || Array.isArray(one));
  const [first] = members;
  const likely = likelyMembers.flatMap((name) => members.filter(([key]) => key === name))[0];
  const chosen = likely ?? (members.length === 1 ? first : undefined);
  return chosen === undefined ? null : countIn(chosen[1]);
}
