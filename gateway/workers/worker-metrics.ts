import type { Worker } from 'node:cluster';
import {
  AggregatorRegistry,
  Counter,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** The topic under which workers exchange their metrics. */
export const metricsTopic = 'metrics';

/**
 * Metrics of workers that have ended, as last read. Sums over workers must not fall when one ends: a scraper would take the
 * remaining counts for new.
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

  /** The last report of a worker. */
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

  /** Metrics to add to the workers' answers: those of ended workers, and the last ones of workers that did not answer. */
  async besides(silent: Iterable<Worker>): Promise<Metrics[]> {
    const known = [...silent].flatMap((worker) => this.#last.get(worker) ?? []);
    return [known, await this.#gone, await this.#own.getMetricsAsJSON()];
  }
}

/** A type is a name or a number, depending on the version of the library. */
function isSum(type: unknown): boolean {
  return /^(?:counter|histogram)$/i.test(String(type));
}
