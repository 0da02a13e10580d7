import type { Worker } from 'node:cluster';
import type { Clock } from '../clock.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { metricsTopic, type WorkerMetrics } from './worker-metrics.ts';

/** A worker that has not answered by then hangs and is skipped. */
const withinMs = 30_000;

interface Open {
  readonly asker: Worker;
  readonly n: number;
  readonly topic: string;
  readonly waiting: Set<Worker>;
  readonly values: unknown[];
  readonly late: { cancel(): void };
}

/** Forwards the question of one worker to all listening workers, and returns their answers. */
export class Questions {
  readonly #timer: Pick<Clock, 'schedule'>;
  readonly #metrics: WorkerMetrics;
  readonly #workers = new Set<Worker>();
  readonly #open = new Map<number, Open>();
  #last = 0;

  constructor(timer: Pick<Clock, 'schedule'>, metrics: WorkerMetrics) {
    this.#timer = timer;
    this.#metrics = metrics;
  }

  add(worker: Worker): void {
    this.#workers.add(worker);
  }

  /** The worker has ended and will not answer. */
  remove(worker: Worker): void {
    this.#workers.delete(worker);
    this.#metrics.lost(worker);
    for (const [id, open] of this.#open) this.#off(id, open, worker);
  }

  ask(asker: Worker, { n, topic, value }: FromWorker & { is: 'ask' }): void {
    this.#last += 1;
    const id = this.#last;
    const late = this.#timer.schedule(withinMs, () => void this.#close(id));
    const open = { asker, n, topic, waiting: new Set(this.#workers), values: [], late };
    this.#open.set(id, open);
    for (const worker of open.waiting) send(worker, { is: 'question', n: id, topic, value });
    if (open.waiting.size === 0) void this.#close(id);
  }

  answer(worker: Worker, message: FromWorker & { is: 'answer' }): void {
    const open = this.#open.get(message.n);
    if (open === undefined) return;
    if ('value' in message) {
      open.values.push(message.value);
      if (open.topic === metricsTopic) this.#metrics.note(worker, message.value);
    }
    this.#off(message.n, open, worker);
  }

  #off(id: number, open: Open, worker: Worker): void {
    if (open.waiting.delete(worker) && open.waiting.size === 0) void this.#close(id);
  }

  async #close(id: number): Promise<void> {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    open.late.cancel();
    const more = open.topic === metricsTopic ? await this.#metrics.besides(open.waiting) : [];
    send(open.asker, { is: 'answers', n: open.n, values: [...open.values, ...more] });
  }
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
