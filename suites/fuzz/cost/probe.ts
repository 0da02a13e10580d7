import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { TlsOptions } from '../../wire/deployment-connection.ts';

/** One small call of a bystander. */
export interface ProbeSample {
  /** Unix ms. */
  readonly startedAt: number;
  readonly ms: number;
  /** Null when there was no answer. */
  readonly status: number | null;
}

export interface ProbeTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: TlsOptions;
  /** The pause between two calls, ms. */
  readonly pauseMs: number;
}

/** Another caller, which sends small requests all the time and notes how long it waits. */
export class Probe {
  readonly #worker: Worker;

  constructor(target: ProbeTarget) {
    this.#worker = new Worker(new URL('./probe-worker.ts', import.meta.url), { workerData: target });
  }

  /** The calls since the last `take`. */
  async take(): Promise<readonly ProbeSample[]> {
    const answer = once(this.#worker, 'message') as Promise<[readonly ProbeSample[]]>;
    this.#worker.postMessage('take');
    const [samples] = await answer;
    return samples;
  }

  async end(): Promise<void> {
    this.#worker.postMessage('end');
    await this.#worker.terminate();
  }
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The 99th percentile of the waits. */
export function p99Of(values: readonly number[]): number {
  const sorted = [...values].toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0;
}

/** The longest wait. */
export function worstOf(samples: readonly ProbeSample[]): number {
  return samples.reduce((most, { ms }) => Math.max(most, ms), 0);
}
