import { setTimeout as wait } from 'node:timers/promises';
import { Untestable, Violation } from '../rules/violation.ts';
import { type Exchange, outcomeOf } from '../wire/exchange.ts';
import { type ForeignTraffic, isByCap } from './foreign-traffic.ts';

/** How long a slot may stay taken after its call, ms (reading B-36). */
const freedWithinMs = 6_000;
/** Where others may use the account, too, they may take so long, ms. */
const othersMs = 30_000;
/** The waits between two looks, ms: the first one, and the longest. */
const firstWaitMs = 200;
const longestWaitMs = 2_000;
/** How often a call may be refused by the cap while a slot is free: others may take it just then. */
const mostChances = 3;

/** What is missing where no slot gets free. */
export const noSlot = 'cap: a free slot of the user, whose calls have all ended';

/** One polite call, which may be sent again, and a free call that only shows whether a slot is free. */
export interface SlotCall {
  readonly key: string;
  readonly send: () => Promise<Exchange>;
  readonly probe: () => Promise<Exchange>;
  readonly signal: AbortSignal;
}

/**
 * Watches the slots of the users of one target. The suites stay below the cap, so a refusal by the cap disturbs the
 * run: an earlier call still holds its slot, or another caller does. Such a call is sent again once a slot is free. If
 * none becomes free, one check fails, and the others have no verdict.
 */
export class SlotWatch {
  readonly #stuck = new Set<string>();
  #isReported = false;
  readonly #freedWithinMs: number;
  readonly #traffic: ForeignTraffic | null;

  /** @param traffic what others do with the account; null where it is the run's alone */
  constructor(
    traffic: ForeignTraffic | null,
    withinMs: number = traffic === null ? freedWithinMs : othersMs,
  ) {
    this.#traffic = traffic;
    this.#freedWithinMs = withinMs;
  }

  /**
   * Sends a call, again where its user had no free slot at first.
   * @throws Violation the first time that no slot gets free.
   * @throws Untestable each further time.
   */
  async pass(call: SlotCall): Promise<Exchange> {
    const { key, send, probe, signal } = call;
    const start = performance.now();
    const until = start + (this.#stuck.has(key) ? 0 : this.#freedWithinMs);
    let chances = this.#traffic === null ? 1 : mostChances;
    let waitedMs = 0;
    let exchange = await send();
    for (let waitMs = firstWaitMs; isByCap(exchange); waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      if (!isByCap(await probe())) {
        this.#stuck.delete(key);
        chances -= 1;
        exchange = await send();
        // A slot was free, so whatever this call got is about the call itself.
        if (chances === 0) break;
        continue;
      }
      if (performance.now() + waitMs > until) this.#fail(key, exchange);
      await wait(waitMs, undefined, { signal });
      waitedMs = performance.now() - start;
      exchange = await send();
    }
    this.#traffic?.waited(waitedMs);
    return exchange;
  }

  #fail(key: string, exchange: Exchange): never {
    this.#stuck.add(key);
    if (this.#isReported) throw new Untestable(noSlot);
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
