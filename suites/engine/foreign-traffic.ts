import { type Exchange, errorCodeOf } from '../wire/exchange.ts';
import { callsPerMinuteIn, isByTime } from '../wire/rate-limit.ts';

/** How long the slot of a call may stay taken after its end (reading B-36): one that broke off, and one that ended, ms. */
const lingersMs = { broken: 6_000, whole: 150 } as const;

/** Counts a call of the run from when it is sent; called with its exchange, or null where none is read, at its end. */
export type CallEnds = (exchange: Exchange | null) => void;

/** This many refusals without a served call for this long, ms, mean leaked slots rather than another client. */
const manyRefusals = 20;
const stuckMs = 60_000;

interface OwnCall {
  /** The most calls of the run that can have had a slot at the same time, itself among them. */
  most: number;
}

/**
 * Detects other clients of the run's account. Evidence is a refusal by the cap while no call of the run had a slot, or a
 * figure that changes while the run sends nothing. One instance for each shared account.
 */
export class ForeignTraffic {
  readonly #open = new Set<OwnCall>();
  /** Until when the slots of calls that ended may be taken, ms. */
  #lingering: number[] = [];
  #refused = 0;
  /** Refusals since the last call that was served. */
  #since = 0;
  #moved = 0;
  /** Whether a refusal speaks of calls by time. */
  #isByTime = false;
  /** The calls per minute that such a refusal named; null for none. */
  #perMinute: number | null = null;
  #waitedMs = 0;
  #lastServedMs = Number.NEGATIVE_INFINITY;
  #lastSlotMs = Number.NEGATIVE_INFINITY;
  readonly #now: () => number;

  /** @param refused how many calls the cap had refused before the run sent any other */
  constructor(refused = 0, now: () => number = () => performance.now()) {
    this.#refused = refused;
    this.#now = now;
  }

  /** The number of observations of other clients; it only grows. */
  get sightings(): number {
    return this.#refused + this.#since + this.#moved;
  }

  /** How long ago the last call of the run was served, ms. */
  get sinceServedMs(): number {
    return this.#open.size > 0 ? 0 : this.#now() - this.#lastServedMs;
  }

  begin(): CallEnds {
    const now = this.#now();
    this.#lingering = this.#lingering.filter((until) => until > now);
    const call: OwnCall = { most: 0 };
    this.#open.add(call);
    const taken = this.#open.size + this.#lingering.length;
    for (const each of this.#open) each.most = Math.max(each.most, taken);
    return (exchange) => this.#end(call, exchange);
  }

  /** Notes how long a call waited for a slot until there was one. */
  waited(ms: number): void {
    this.#waitedMs += ms;
  }

  /** Records an account figure that changed without a call of the run. */
  moved(): void {
    this.#moved += 1;
  }

  /** The observations as a sentence; null for none. */
  sentence(): string | null {
    if (this.sightings === 0) return null;
    const isStuck = this.#since >= manyRefusals && this.#now() - this.#lastSlotMs > stuckMs;
    const refused = this.#refused + (isStuck ? 0 : this.#since);
    const sentences = [
      ...(isStuck
        ? [
            `${times(this.#since)}, to the end, the cap refused a call while no other of the run was in flight: slots of calls that ended stay taken (LIM-004), or another client has them all`,
          ]
        : []),
      ...(refused + this.#moved > 0 ? [this.#others(refused)] : []),
    ];
    return sentences.join('; ');
  }

  #others(refused: number): string {
    const seen = [
      ...(refused > 0
        ? [`${times(refused)} the cap refused a call while no other of the run was in flight`]
        : []),
      ...(this.#moved > 0 ? [`${times(this.#moved)} its figures moved without a call of the run`] : []),
    ];
    const waited =
      this.#waitedMs > 0 ? `; ${Math.ceil(this.#waitedMs / 1_000)} s were waited for a free slot` : '';
    const who = this.#isByTime
      ? `the deployment limits calls by time: raise that limit for this run, or declare "http: { calls_per_minute: ${this.#perMinute ?? 'N'} }", unless another client uses the account of the key`
      : 'another client uses the account of the key, or slots of calls that ended stay taken for a while (LIM-004)';
    return `${who}: ${seen.join(', ')}${waited}; what fails then is rerun alone`;
  }

  #end(call: OwnCall, exchange: Exchange | null): void {
    this.#open.delete(call);
    const now = this.#now();
    if (exchange !== null && isByCap(exchange)) {
      if (call.most === 1) this.#since += 1;
      const text = exchange.response?.body.toString('utf8', 0, 4_096) ?? '';
      if (call.most === 1 && isByTime(text)) {
        this.#isByTime = true;
        this.#perMinute ??= callsPerMinuteIn({
          status: 429,
          headers: exchange.response?.headers ?? [],
          text,
        });
      }
      return;
    }
    const { status = 500, complete = false } = exchange?.response ?? {};
    if (status < 300) this.#lastServedMs = now;
    // Proves a free slot. Reads may not need a slot, so only POST counts.
    if (status < 300 && exchange?.request.method === 'POST') {
      this.#lastSlotMs = now;
      this.#refused += this.#since;
      this.#since = 0;
    }
    this.#lingering.push(now + (complete ? lingersMs.whole : lingersMs.broken));
  }
}

/** Whether the concurrency cap refused a call. */
export function isByCap(exchange: Exchange): boolean {
  return exchange.response?.status === 429 && errorCodeOf(exchange) === 'concurrency_exceeded';
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
