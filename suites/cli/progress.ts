import { styleText } from 'node:util';
import type { Verdict } from 'gatecheck-reports/report';
import { isRed } from 'gatecheck-reports/verdict-words';
import type { JobResult } from '../runner/run-input.ts';

const marks: Readonly<
  Record<Verdict, { word: string; color: 'green' | 'red' | 'yellow' | 'gray' | 'magenta' }>
> = {
  pass: { word: 'pass', color: 'green' },
  fail: { word: 'FAIL', color: 'red' },
  flaky: { word: 'flaky', color: 'yellow' },
  warn: { word: 'warn', color: 'yellow' },
  observed: { word: 'note', color: 'gray' },
  'not-applicable': { word: 'n/a', color: 'gray' },
  untestable: { word: 'open', color: 'yellow' },
  waived: { word: 'waived', color: 'yellow' },
  'harness-error': { word: 'ERROR', color: 'magenta' },
};

/** The verdict as one short word, in its colour where the stream shows colours, all of the same width. */
export function markOf(verdict: Verdict, stream: NodeJS.WriteStream): string {
  const { word, color } = marks[verdict];
  return styleText(color, word.padEnd(6), { stream });
}

/** The amount of progress output: failures and counts, all checks, or nothing before the result. */
export type Talk = 'usual' | 'verbose' | 'quiet';

export interface ProgressParts {
  readonly out: NodeJS.WriteStream;
  /** How long each check is expected to take that lacks no fact, by its id; 0 for one that was never measured. */
  readonly times: ReadonlyMap<string, number>;
  /** The expected time of the whole run, ms. */
  readonly plannedMs: number;
  readonly talk: Talk;
  /** Whether lines replace each other: on a terminal that a person reads. */
  readonly moving: boolean;
  /** A monotonic clock, ms. */
  readonly now?: () => number;
}

/** The interval between progress lines in a log and on a terminal, ms. */
const beatEachMs = { log: 10_000, terminal: 1_000 } as const;
const barWidth = 24;
/** The share of the work from which its speed is a usable estimate. */
const leastShare = 0.1;
/** Over how long the estimate follows the speed of the run, ms, so that it does not jump. */
const smoothedMs = 20_000;
/** At most this many checks that have not ended are named in place of the time left. */
const maxNamed = 2;

/** Shows the progress of a run: a bar on a terminal, a line every ten seconds in a log, and failures at once. */
export class Progress {
  readonly #parts: Required<ProgressParts>;
  readonly #since: number;
  readonly #total: number;
  readonly #open: Set<string>;
  /** The estimate of how long the whole run takes, and when it was made, ms. */
  #estimate: { readonly wholeMs: number; readonly atMs: number } | null = null;
  #failed = 0;
  #waived = 0;
  #doneMs = 0;
  #beats: NodeJS.Timeout | null = null;

  constructor({ now = () => performance.now(), ...parts }: ProgressParts) {
    this.#parts = { ...parts, now };
    this.#since = now();
    this.#open = new Set(parts.times.keys());
    this.#total = Math.max(
      1,
      [...parts.times.values()].reduce((sum, ms) => sum + ms, 0),
    );
  }

  begin(): this {
    const each = this.#parts.moving ? beatEachMs.terminal : beatEachMs.log;
    if (this.#parts.talk !== 'quiet') this.#beats = setInterval(() => this.beat(), each).unref();
    return this;
  }

  /** Prints nothing for checks that were interrupted, were not reached, or lack a fact. */
  add({ id, verdict, failure, not_run: reason, duration_ms: ms }: JobResult): void {
    if (reason !== undefined) return;
    this.#open.delete(id);
    this.#doneMs += this.#parts.times.get(id) ?? 0;
    if (isRed(verdict)) this.#failed += 1;
    if (verdict === 'waived') this.#waived += 1;
    const isTold = isRed(verdict) || (this.#parts.talk === 'verbose' && verdict !== 'untestable');
    const cause = verdict === 'fail' && failure ? `: ${failure.requirement} ${failure.aspect}` : '';
    if (isTold) this.#say(`${markOf(verdict, this.#parts.out)} ${id}${cause} (${ms} ms)`);
    if (this.#parts.moving) this.beat();
  }

  /** How far the run is, in one line. */
  beat(): void {
    const { out, moving, talk } = this.#parts;
    if (talk === 'quiet') return;
    if (!moving) return void out.write(`${this.#counts()}\n`);
    const filled = Math.round(barWidth * this.#share());
    const bar = `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}]`;
    const line = `${bar} ${this.#counts()}`.slice(0, Math.max(20, (out.columns ?? 80) - 1));
    out.write(`\r\u001b[2K${line}`);
  }

  end(): void {
    if (this.#beats !== null) clearInterval(this.#beats);
    if (this.#parts.moving && this.#parts.talk !== 'quiet') this.#parts.out.write('\r\u001b[2K');
  }

  #say(line: string): void {
    const { out, moving, talk } = this.#parts;
    if (talk !== 'quiet') out.write(`${moving ? '\r\u001b[2K' : ''}${line}\n`);
  }

  #counts(): string {
    const all = this.#parts.times.size;
    const waived = this.#waived === 0 ? '' : `, ${this.#waived} waived`;
    return `${this.#done}/${all} checks, ${this.#failed} failed${waived}, ${this.#left()}`;
  }

  get #done(): number {
    return this.#parts.times.size - this.#open.size;
  }

  #left(): string {
    if (this.#open.size === 0) return 'rerunning what failed';
    const leftMs = this.#leftMs();
    // The last checks do not end earlier because many others have.
    return this.#open.size > maxNamed || this.#done === 0
      ? `about ${lasting(leftMs)} left`
      : `waiting for ${[...this.#open].join(' and ')}`;
  }

  #share(): number {
    return Math.min(1, this.#doneMs / this.#total);
  }

  #leftMs(): number {
    const atMs = this.#parts.now();
    const spentMs = atMs - this.#since;
    const wholeMs = spentMs + this.#unsteadyLeftMs(spentMs);
    const weight = this.#estimate === null ? 1 : 1 - Math.exp((this.#estimate.atMs - atMs) / smoothedMs);
    const before = this.#estimate?.wholeMs ?? 0;
    this.#estimate = { wholeMs: before + weight * (wholeMs - before), atMs };
    return Math.max(0, this.#estimate.wholeMs - spentMs);
  }

  /** By the plan at first, then by how fast the run has been. */
  #unsteadyLeftMs(spentMs: number): number {
    const share = this.#share();
    if (share >= leastShare) return (spentMs * (1 - share)) / share;
    const done = Math.max(1, this.#done) / this.#parts.times.size;
    return Math.max(this.#parts.plannedMs - spentMs, (spentMs * (1 - done)) / done);
  }
}

function lasting(ms: number): string {
  return ms < 90_000 ? `${Math.max(1, Math.round(ms / 1_000))} s` : `${Math.round(ms / 60_000)} min`;
}
