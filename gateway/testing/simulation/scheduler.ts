import { createHash } from 'node:crypto';
import type { Random } from '../random.ts';

/** Who waits for something: a process, whose waiting ends with it, or the world outside. */
export type Owner = string;

interface Pending {
  readonly atMs: number;
  /** Orders what falls on the same time. */
  readonly draw: number;
  readonly owner: Owner;
  readonly label: string;
  readonly run: () => void;
}

/** Where virtual time begins: within a month, so that no seed crosses its end by chance. */
const beginMs = Date.UTC(2026, 10, 10, 12);
/**
 * The only source of time and of order in a simulation. Everything that would be asynchronous (answers, bytes, timers)
 * waits here; one thing happens at a time, and what follows from it in memory is over before the next.
 */
export class Scheduler {
  readonly #random: Random;
  readonly #hash = createHash('sha256');
  readonly #lines: string[] = [];
  readonly #keptLines: number;
  #pending: Pending[] = [];
  readonly #gone = new Set<Owner>();
  #nowMs = beginMs;
  #steps = 0;

  /** `keptLines`: how many of the last events the trace shows. */
  constructor(random: Random, keptLines: number) {
    this.#random = random;
    this.#keptLines = keptLines;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Virtual milliseconds since the beginning. */
  get sinceMs(): number {
    return this.#nowMs - beginMs;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Lets something happen after a wait. */
  after(delayMs: number, owner: Owner, label: string, run: () => void): { cancel(): void } {
    if (this.#gone.has(owner)) return { cancel: () => {} };
    const atMs = this.#nowMs + Math.max(0, delayMs);
    const one: Pending = { atMs, draw: this.#random.next(), owner, label, run };
    this.#pending.push(one);
    return {
      cancel: () => {
        const at = this.#pending.indexOf(one);
        if (at !== -1) this.#pending.splice(at, 1);
      },
    };
  }

  /** Forgets all that an owner waits for, and will wait for: its process has died. */
  drop(owner: Owner): void {
    this.#gone.add(owner);
    this.#pending = this.#pending.filter((one) => one.owner !== owner);
  }

  /** When the next thing of this owner happens; null if there is none. */
  nextOf(owner: Owner): number | null {
    const times = this.#pending.filter((one) => one.owner === owner).map(({ atMs }) => atMs);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Lets the next thing happen, and waits until the memory is quiet again; false if nothing is left. */
  async step(): Promise<boolean> {
    const next = this.#takeFirst();
    if (next === null) return false;
    this.#nowMs = Math.max(this.#nowMs, next.atMs);
    this.#steps += 1;
    this.note(next.label);
    next.run();
    await quiet();
    return true;
  }

  /** Adds a line to the trace, and to its hash. */
  note(line: string): void {
    const whole = `${String(this.sinceMs).padStart(7)} ${line}`;
    this.#hash.update(whole).update('\n');
    this.#lines.push(whole);
    if (this.#lines.length > 2 * this.#keptLines) this.#lines.splice(0, this.#keptLines);
  }

  /** The last lines of the trace. */
  get trace(): readonly string[] {
    return this.#lines.slice(-this.#keptLines);
  }

  /** The hash of the whole trace. To be read once, at the end. */
  hash(): string {
    return this.#hash.digest('hex');
  }

  #takeFirst(): Pending | null {
    let first = 0;
    for (let at = 1; at < this.#pending.length; at += 1) {
      const [one, best] = [this.#pending[at], this.#pending[first]];
      if (one !== undefined && best !== undefined && isBefore(one, best)) first = at;
    }
    return this.#pending.splice(first, 1)[0] ?? null;
  }
}

function isBefore(one: Pending, other: Pending): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.draw < other.draw);
}

/** Promises, ticks and streams in memory come to rest before the loop reaches its next turn. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
