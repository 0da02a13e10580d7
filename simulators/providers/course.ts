import type { Gate, Reply } from '../control/protocol.ts';
import type { Exchange } from './exchange.ts';

/**
 * Where in an answer its gates, hangs, cuts and deadlines act. A dialect calls the points in their order and
 * writes in between; what is scripted for a point happens there.
 *
 * A hang or cut at a delta that the answer does not have acts before the ending, so that it never gets lost.
 */
export class Course {
  readonly #exchange: Exchange;
  readonly #reply: Reply;
  #startMs: number;

  constructor(exchange: Exchange, reply: Reply) {
    this.#exchange = exchange;
    this.#reply = reply;
    this.#startMs = exchange.now();
  }

  /** When delta `k` is due. Deadlines are absolute: a late write does not push back the next. */
  deadline(k: number): number {
    const { first_ms = 0, each_ms = 0 } = this.#reply.pacing ?? {};
    return this.#startMs + first_ms + k * each_ms;
  }

  /** When the reply began: after the gate before its head, if there is one. */
  get startMs(): number {
    return this.#startMs;
  }

  async beforeHead(): Promise<void> {
    if (this.#reply.hang === 'head') await this.#exchange.hang();
    await this.#gate('head');
    this.#startMs = this.#exchange.now();
  }

  afterHead(): void {
    this.#cut(this.#reply.cut?.after === 'head');
  }

  async beforeDelta(k: number): Promise<void> {
    this.#cut(this.#reply.cut?.after === k);
    if (this.#reply.hang === k) await this.#exchange.hang();
    await this.#gate(k);
    await this.#exchange.sleepUntil(this.deadline(k));
  }

  /** `deltas` is how many the answer had. */
  async beforeEnd(deltas: number): Promise<void> {
    const { cut, hang } = this.#reply;
    this.#cut(typeof cut?.after === 'number' && cut.after >= deltas);
    if (typeof hang === 'number' && hang >= deltas) await this.#exchange.hang();
    await this.#gate('end');
    await this.#exchange.sleepUntil(this.deadline(deltas));
  }

  afterFinish(): void {
    this.#cut(this.#reply.cut?.after === 'finish');
  }

  async #gate(gate: Gate): Promise<void> {
    if (this.#reply.gates?.includes(gate)) await this.#exchange.waitAt(String(gate));
  }

  #cut(isHere: boolean): void {
    if (isHere && this.#reply.cut !== undefined) this.#exchange.cut(this.#reply.cut.by);
  }
}
