import { hasText } from '../oracle/text-so-far.ts';
import type { WireClient } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';
import { type CallOutcome, outcomeOfCall } from './call-outcome.ts';
import { requestOf } from './call-protocol.ts';
import type { Callers } from './callers.ts';
import type { Activity, DrillTime } from './drill-time.ts';
import type { PlannedCall } from './planned-calls.ts';

/** A call that is over. Times are ms since the start of the drill. */
export interface CallRecord {
  readonly call: PlannedCall;
  readonly atMs: number;
  /** When the first text of a stream arrived; null for others. */
  readonly firstMs: number | null;
  readonly endMs: number;
  readonly outcome: CallOutcome;
  /** Kept only for failed calls, whose charge is looked up. */
  readonly exchange: Exchange | null;
}

/** The code of a call whose caller did not wait any longer. */
export const gaveUp = 'gave up';

/** How long a caller waits, ms of the drill. */
const patienceMs = 60_000;
/** The same in real ms, so that a stopped clock does not block the drill. */
const realPatienceMs = 120_000;

export interface Driving {
  readonly time: DrillTime;
  readonly client: WireClient;
  readonly callers: Callers;
  readonly beganMs: number;
  /** How far the deployment's clock has been moved ahead of ours, ms. */
  readonly clockAheadMs: () => number;
}

/** The load of a drill: sends calls when they are due, and keeps their results. */
export class Load implements Activity {
  readonly records: CallRecord[] = [];
  /** The delay of each call against its plan, ms. */
  readonly lateMs: number[] = [];
  readonly #open = new Set<{
    readonly sinceMs: number;
    readonly giveUp: () => void;
    readonly over: Promise<void>;
  }>();
  #lastSeenMs = 0;

  inFlight(): number {
    return this.#open.size;
  }

  lastSeenMs(): number {
    return this.#lastSeenMs;
  }

  /** Sends a call now, and does not wait for its answer. */
  send(driving: Driving, call: PlannedCall): void {
    const { time } = driving;
    const sinceMs = time.now();
    this.lateMs.push(sinceMs - driving.beganMs - call.dueMs);
    const caller = driving.callers.enter();
    let hasGivenUp = false;
    const live = driving.client.open({
      ...requestOf(call, `call ${call.index}`, caller.key),
      timeoutMs: realPatienceMs,
    });
    this.#seen();
    let firstMs: number | null = null;
    const began = live.until((text) => {
      this.#seen();
      return hasText(text);
    }, realPatienceMs);
    const first = began.then((hasBegun) => {
      if (hasBegun && call.isStream) firstMs = time.now() - driving.beganMs;
    });
    const over = live.done.then(async (exchange) => {
      const endMs = time.now() - driving.beganMs;
      this.#seen();
      caller.leave();
      this.#open.delete(entry);
      await first;
      const judged = outcomeOfCall(exchange, call, driving.clockAheadMs());
      const outcome: CallOutcome = hasGivenUp ? { ...judged, kind: 'none', code: gaveUp } : judged;
      const kept = outcome.kind === 'ok' ? null : exchange;
      this.records.push({ call, atMs: sinceMs - driving.beganMs, firstMs, endMs, outcome, exchange: kept });
    });
    const giveUp = (): void => {
      hasGivenUp = true;
      live.abort();
    };
    const entry = { sinceMs, giveUp, over };
    this.#open.add(entry);
  }

  /** Ends the calls whose callers have waited long enough. */
  endLate(nowMs: number): void {
    for (const { sinceMs, giveUp } of this.#open) if (nowMs - sinceMs >= patienceMs) giveUp();
  }

  /** Waits for the calls in flight. */
  async drain(time: DrillTime, signal: AbortSignal): Promise<void> {
    while (this.#open.size > 0) {
      const next = Promise.race([...this.#open].map(({ over }) => over));
      await Promise.race([next, time.until(time.now() + 250, signal)]);
      this.endLate(time.now());
    }
  }

  #seen(): void {
    this.#lastSeenMs = performance.now();
  }
}
