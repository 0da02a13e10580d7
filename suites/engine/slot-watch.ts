import { setTimeout as wait } from 'node:timers/promises';
import { Untestable, Violation } from '../rules/violation.ts';
import { type Exchange, outcomeOf } from '../wire/exchange.ts';
import { isByTime } from '../wire/rate-limit.ts';
import { type ForeignTraffic, isByCap } from './foreign-traffic.ts';

/** How long a slot may stay taken after its call, ms (reading B-36). */
const freedWithinMs = 6_000;
/** How long other users of a shared account may hold the slots, ms. */
const othersMs = 30_000;
/** The first and the longest wait between two probes, ms. */
const firstWaitMs = 200;
const longestWaitMs = 2_000;
/** How often the cap may refuse a call while a slot is free, because others may take the slot first. */
const mostChances = 3;

/** The missing fact when no slot becomes free. */
export const noSlot = 'cap: a free slot of the user, whose calls have all ended';

/** The missing fact where a limit of calls by time refuses them, which says nothing of slots. */
const noCalls = 'http.calls_per_minute: the limit of calls by time';

/** A call below the cap, which may be sent again, and a free probe that only shows whether a slot is free. */
export interface SlotCall {
  readonly key: string;
  readonly send: () => Promise<Exchange>;
  readonly probe: () => Promise<Exchange>;
  readonly signal: AbortSignal;
}

/**
 * Watches the slots of the users of one target. The suites stay below the cap. So a refusal by the cap means that an earlier
 * call, or another caller, still holds a slot. The call is sent again once a slot is free. If none becomes free, one check
 * fails, and the others have no verdict.
 */
export class SlotWatch {
  readonly #stuck = new Set<string>();
  #isReported = false;
  readonly #freedWithinMs: number;
  readonly #traffic: ForeignTraffic | null;

  /** @param traffic foreign traffic on the account; null when only this run uses it */
  constructor(
    traffic: ForeignTraffic | null,
    withinMs: number = traffic === null ? freedWithinMs : othersMs,
  ) {
    this.#traffic = traffic;
    this.#freedWithinMs = withinMs;
  }

  /**
   * Sends a call, and again if its user had no free slot.
   * @throws Violation the first time that no slot becomes free.
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
        // A slot was free, so the answer is about the call itself.
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
    if (isByTime(exchange.response?.body.toString('utf8', 0, 4_096) ?? '')) throw new Untestable(noCalls);
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
