import type { CheckResult, Spent } from 'gatecheck-reports/report';
import type { JobResult, RunTotals } from './run-input.ts';

/** The results of a run's jobs, as they arrive. */
export class Collected {
  results: JobResult[] = [];
  readonly faults: string[] = [];
  spent: Spent | null = null;
  stopped: string | null = null;
  isGone = false;
  notices: readonly string[] = [];
  /** The results of all exchanges together, one for each row. */
  every: readonly CheckResult[] = [];
  readonly #onResult: (result: JobResult) => void;

  constructor(onResult: (result: JobResult) => void) {
    this.#onResult = onResult;
  }

  add(result: JobResult): void {
    this.results.push(result);
    this.#onResult(result);
  }

  /** Replaces the first results of rerun jobs. */
  replace(again: readonly JobResult[]): void {
    this.results = this.results.map((first) => again.find((last) => isSameJob(first, last)) ?? first);
  }

  /** Jobs that end at the same time may report in any order. */
  tell({ spent, notices, stopped, isGone = false }: Partial<RunTotals>): void {
    this.notices = notices ?? this.notices;
    this.stopped ??= stopped ?? null;
    this.isGone ||= isGone;
    if (spent !== undefined && spent.exchanges >= (this.spent?.exchanges ?? 0)) this.spent = spent;
  }

  /** Notes that the runner itself failed. */
  fault(error: unknown, name?: string): void {
    this.faults.push(name === undefined ? messageOf(error) : `${name}: ${messageOf(error)}`);
  }
}

function isSameJob(one: JobResult, other: JobResult): boolean {
  return one.id === other.id && one.target === other.target;
}

function messageOf(error: unknown): string {
  return error !== null && typeof error === 'object' && 'message' in error
    ? String(error.message)
    : String(error);
}
