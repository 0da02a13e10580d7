import { setTimeout as wait } from 'node:timers/promises';
import { Untestable, Violation } from '../rules/violation.ts';
import { type Exchange, errorCodeOf, outcomeOf } from '../wire/exchange.ts';

/** How long a slot may stay taken after its call, ms (reading B-36), and the waits between two looks. */
const freedWithinMs = 6_000;
const firstWaitMs = 200;

/** One polite call, which may be sent again, and a free call that only shows whether a slot is free. */
export interface SlotCall {
  readonly key: string;
  readonly send: () => Promise<Exchange>;
  readonly probe: () => Promise<Exchange>;
  readonly signal: AbortSignal;
}

/**
 * Watches the slots of the users of one target. The suites stay below the cap, so a refusal by the cap is trouble of the
 * run: another call has left its slot taken. Such a call is sent again once a slot is free. Where none gets free, one
 * check fails for it, and the others have no verdict.
 */
export class SlotWatch {
  readonly #stuck = new Set<string>();
  #isReported = false;
  readonly #freedWithinMs: number;

  constructor(withinMs: number = freedWithinMs) {
    this.#freedWithinMs = withinMs;
  }

  /**
   * Sends a call, again where its user had no free slot at first.
   * @throws Violation the first time that no slot gets free.
   * @throws Untestable each further time.
   */
  async pass(call: SlotCall): Promise<Exchange> {
    const { key, send, probe, signal } = call;
    const until = performance.now() + (this.#stuck.has(key) ? 0 : this.#freedWithinMs);
    let exchange = await send();
    for (let waitMs = firstWaitMs; isByCap(exchange); waitMs *= 2) {
      if (!isByCap(await probe())) {
        this.#stuck.delete(key);
        // A slot is free, so whatever this call gets now is about the call itself.
        return send();
      }
      if (performance.now() + waitMs > until) this.#fail(key, exchange);
      await wait(waitMs, undefined, { signal });
      exchange = await send();
    }
    return exchange;
  }

  #fail(key: string, exchange: Exchange): never {
    this.#stuck.add(key);
    if (this.#isReported) throw new Untestable('cap: a free slot of the user, whose calls have all ended');
    this.#isReported = true;
    throw new Violation({
      requirement: 'LIM-004',
      aspect: 'slot-left-taken',
      expected: `a free slot within ${this.#freedWithinMs} ms for a user with fewer calls in flight than its cap`,
      actual: `${outcomeOf(exchange)} concurrency_exceeded: calls that ended long ago still count`,
      exchange,
    });
  }
}

/** Whether the concurrency cap refused a call. */
function isByCap(exchange: Exchange): boolean {
  if (exchange.response?.status !== 429) return false;
  return errorCodeOf(exchange) === 'concurrency_exceeded';
}
