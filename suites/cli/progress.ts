import { styleText } from 'node:util';
import type { Verdict } from 'gatecheck-reports/report';
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

/** Shows how a run goes: one moving line on a terminal, one line a check elsewhere. Writes to stderr only. */
export class Progress {
  readonly #out: NodeJS.WriteStream;
  readonly #total: number;
  readonly #moving: boolean;
  #done = 0;
  #failed = 0;

  constructor(out: NodeJS.WriteStream, total: number, env: NodeJS.ProcessEnv) {
    this.#out = out;
    this.#total = total;
    this.#moving = out.isTTY === true && !env.CI;
  }

  /** Checks that were cut off, or not reached any more, have no line; nor have those that lack a fact, in a log. */
  add(result: JobResult): void {
    if (result.not_run !== undefined) return;
    this.#done += 1;
    if (result.verdict === 'fail') this.#failed += 1;
    if (!this.#moving) {
      if (result.verdict === 'untestable') return;
      this.#out.write(`${markOf(result.verdict, this.#out)} ${result.id} (${result.duration_ms} ms)\n`);
      return;
    }
    const failed = this.#failed > 0 ? styleText('red', ` ${this.#failed} failed`, { stream: this.#out }) : '';
    const line = `[${this.#done}/${this.#total}]${failed} ${result.id}`;
    this.#out.write(`\r\u001b[2K${line.slice(0, Math.max(20, (this.#out.columns ?? 80) - 1))}`);
  }

  end(): void {
    if (this.#moving) this.#out.write('\r\u001b[2K');
  }
}
