import { isRed } from '../../reports/verdict-words.ts';
import type { JobResult } from './run-input.ts';

/** Stops the jobs of a target at its first failure, or when its jobs have had their time. */
export class TargetStops {
  readonly #limitMs: number | null;
  readonly #now: () => number;
  readonly #started = new Map<string, number>();
  readonly #failed = new Set<string>();

  /** With `limitMs` null no target is ever stopped. */
  constructor(limitMs: number | null, now: () => number) {
    this.#limitMs = limitMs;
    this.#now = now;
  }

  /** Whether another job of the target may begin. Its time begins with its first one. */
  mayBegin(target: string): boolean {
    if (this.#limitMs === null) return true;
    const started = this.#started.get(target) ?? this.#now();
    this.#started.set(target, started);
    return !this.#failed.has(target) && this.#now() - started < this.#limitMs;
  }

  note({ target, verdict }: JobResult): void {
    if (isRed(verdict)) this.#failed.add(target);
  }
}
