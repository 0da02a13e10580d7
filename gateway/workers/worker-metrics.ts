import type { Worker } from 'node:cluster';
import {
  AggregatorRegistry,
  Counter,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** The topic under which workers ask each other for what they have counted. */
export const metricsTopic = 'metrics';

/**
 * What workers counted that are gone, as far as it was read: sums over workers must not fall when one ends, or a scraper
 * takes what the others have counted for new.
 */
export class WorkerMetrics {
  readonly #last = new Map<Worker, Metrics>();
  readonly #own = new Registry();
  readonly #restarts = new Counter({
    name: 'gatecheck_worker_restarts_total',
    help: 'Worker processes that ended by themselves and were started anew.',
    registers: [this.#own],
  });
  #gone: Promise<Metrics> = Promise.resolve([]);

  /** What a worker has reported last. */
  note(worker: Worker, metrics: unknown): void {
    this.#last.set(worker, metrics as Metrics);
  }

  lost(worker: Worker): void {
    const last = this.#last.get(worker)?.filter(({ type }) => isSum(type));
    this.#last.delete(worker);
    if (last === undefined) return;
    this.#gone = this.#gone.then((gone) => AggregatorRegistry.aggregate([gone, last]).getMetricsAsJSON());
  }

  restarted(): void {
    this.#restarts.inc();
  }

  /** What is to be added to the answers of the workers: of those that are gone, and of these, which did not answer. */
  async besides(silent: Iterable<Worker>): Promise<Metrics[]> {
    const known = [...silent].flatMap((worker) => this.#last.get(worker) ?? []);
    return [known, await this.#gone, await this.#own.getMetricsAsJSON()];
  }
}

/** Types are a name or a number, by the version of the library. */
function isSum(type: unknown): boolean {
  return /^(?:counter|histogram)$/i.test(String(type));
}
