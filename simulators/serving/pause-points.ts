import type { Gate, Reply } from '../control/protocol.ts';
import type { Exchange } from './exchange.ts';

/**
 * The points of an answer at which gates and hangs act. The sender calls the points in order and writes between
 * them; each call runs what is scripted for its point.
 *
 * A hang at a delta that the answer does not have acts before the ending, so that it is never skipped.
 */
export class PausePoints {
  readonly #exchange: Exchange;
  readonly #reply: Pick<Reply, 'gates' | 'hang'>;
  #startMs: number;

  constructor(exchange: Exchange, reply: Pick<Reply, 'gates' | 'hang'>) {
    this.#exchange = exchange;
    this.#reply = reply;
    this.#startMs = exchange.now();
  }

  /** When the reply began: after the gate before its head, if there is one. All deadlines count from it. */
  get startMs(): number {
    return this.#startMs;
  }

  async beforeHead(): Promise<void> {
    if (this.#reply.hang === 'head') await this.#exchange.hang();
    await this.#gate('head');
    this.#startMs = this.#exchange.now();
  }

  async beforeDelta(k: number): Promise<void> {
    if (this.#reply.hang === k) await this.#exchange.hang();
    await this.#gate(k);
  }

  /** `deltas` is how many the answer had. */
  async beforeEnd(deltas: number): Promise<void> {
    const { hang } = this.#reply;
    if (typeof hang === 'number' && hang >= deltas) await this.#exchange.hang();
    await this.#gate('end');
  }

  async #gate(gate: Gate): Promise<void> {
    if (this.#reply.gates?.includes(gate)) await this.#exchange.waitAt(String(gate));
  }
}
