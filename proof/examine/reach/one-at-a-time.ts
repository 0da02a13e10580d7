import type { Around } from '../../../suites/runner/jobs.ts';
import type { Job } from '../../../suites/runner/run-input.ts';

/** On each target one job at a time, and after it `onEnd`, before the next one begins. */
export class OneAtATime implements Around {
  readonly #onEnd: (job: Job) => Promise<void>;
  /** By target with a job under way, how those that wait are let in. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(onEnd: (job: Job) => Promise<void>) {
    this.#onEnd = onEnd;
  }

  async begin({ target }: Job): Promise<void> {
    const waiting = this.#waiting.get(target);
    if (waiting === undefined) this.#waiting.set(target, []);
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  async end(job: Job): Promise<void> {
    try {
      await this.#onEnd(job);
    } finally {
      const next = this.#waiting.get(job.target)?.shift();
      if (next === undefined) this.#waiting.delete(job.target);
      else next();
    }
  }
}
