import { isRed } from 'gatecheck-reports/verdict-words';
import type { Check } from '../../suites/engine/check.ts';
import type { JobResult } from '../../suites/runner/run-input.ts';
import type { Kill } from './examination.ts';

/** A gateway and its checks, in their order. */
export interface Subject {
  readonly id: string;
  readonly checks: readonly Check[];
}

/** The findings of the checks on a gateway. */
export interface Look {
  readonly kill: Kill | null;
  readonly judged: number;
  readonly warnedBy: readonly string[];
  readonly untestable: readonly string[];
  readonly unsteady: readonly string[];
}

/** One gateway in progress: the checks that have judged it, and its open failures. */
export class SubjectProgress {
  readonly id: string;
  /** The checks that have not run on it. */
  left: readonly Check[];
  /** The first failure, until it is confirmed or dismissed. */
  suspect: JobResult | null = null;
  #kill: Kill | null = null;
  readonly #seen = new Set<string>();
  readonly #warned = new Set<string>();
  readonly #untestable = new Set<string>();
  readonly #unsteady: string[] = [];

  constructor({ id, checks }: Subject) {
    this.id = id;
    this.left = checks;
  }

  isOpen(): boolean {
    return this.#kill === null && this.left.length > 0;
  }

  note(result: JobResult): void {
    this.#seen.add(result.id);
    this.left = this.left.filter(({ id }) => id !== result.id);
    if (result.verdict === 'warn') this.#warned.add(result.id);
    if (result.verdict === 'untestable') this.#untestable.add(result.id);
    if (isRed(result.verdict) && (this.suspect === null || this.suspect.verdict === 'harness-error'))
      this.suspect = result;
  }

  settle(again: readonly JobResult[], reference: string): void {
    const { suspect } = this;
    if (suspect === null) return;
    const on = (target: string): JobResult | undefined =>
      again.find((result) => result.target === target && result.id === suspect.id);
    const [second, beside] = [on(this.id), on(reference)];
    this.suspect = null;
    if (second !== undefined && isRed(second.verdict) && (beside === undefined || !isRed(beside.verdict)))
      this.#kill = killOf(second);
    else
      this.#unsteady.push(
        `${suspect.id}: ${suspect.verdict} (${suspect.failure?.actual.slice(0, 120) ?? ''}), then ${second?.verdict ?? 'nothing'}, and ${beside?.verdict ?? 'nothing'} on the reference`,
      );
  }

  look(): Look {
    return {
      kill: this.#kill,
      judged: this.#seen.size,
      warnedBy: [...this.#warned].toSorted(),
      untestable: [...this.#untestable].toSorted(),
      unsteady: this.#unsteady,
    };
  }
}

/** The failed result in the form of a kill. */
export function killOf({ id, verdict, failure }: JobResult): Kill {
  return {
    check: id,
    verdict,
    requirement: failure?.requirement ?? null,
    aspect: failure?.aspect ?? null,
    actual: failure?.actual.slice(0, 240) ?? null,
  };
}
