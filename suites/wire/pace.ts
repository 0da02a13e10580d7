import type { Profile } from '../profile/profile.ts';
import { callsPerMinuteIn, isUndeclaredByTime, mayBeByTime } from './rate-limit.ts';

const minuteMs = 60_000;

/** How often one call may meet the limit, although the run is slower than declared: other clients may share it. */
const mostRefusals = 5;

/** The wait after a refusal that names none, ms, and the longest that is believed. */
const usualWaitMs = 5_000;
const longestWaitMs = 2 * minuteMs;

/** How long a run waits in all for a limit that its profile does not declare, ms. */
const mostUndeclaredMs = 3 * minuteMs;

/** A refusal as the deployment sends it. */
export interface Refused {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/** What time is to a pace. */
export interface PaceTime {
  readonly now: () => number;
  /** Rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Keeps the calls of a run below a limit of calls per minute, in any minute. A call that the limit refuses nevertheless is
 * sent again after the time that the refusal names, because its refusal says nothing about the call.
 */
export class Pace {
  #perMinute: number;
  readonly #isDeclared: boolean;
  /** How many calls a limit that is not declared has refused. */
  #learned = 0;
  readonly #time: PaceTime;
  /** When the last calls are sent, the latest at the end, ms. */
  readonly #turns: number[] = [];
  /** Before this time nothing is sent, ms. */
  #heldUntil = Number.NEGATIVE_INFINITY;
  #waiting = 0;
  #since = 0;
  #pacedMs = 0;

  /** @param perMinute null where no limit is declared: then the refusals tell it */
  constructor(perMinute: number | null, time: PaceTime) {
    this.#perMinute = perMinute ?? Number.POSITIVE_INFINITY;
    this.#isDeclared = perMinute !== null;
    this.#time = time;
  }

  /** How long at least one call has waited for its turn, ms: no time that a check took. */
  get pacedMs(): number {
    return this.#waiting > 0 ? this.#pacedMs + this.#time.now() - this.#since : this.#pacedMs;
  }

  /** Resolves when the next call may be sent. */
  async turn(signal: AbortSignal): Promise<void> {
    if (!this.#isDeclared && this.pacedMs >= mostUndeclaredMs) return;
    const now = this.#time.now();
    const oldest = this.#turns.length < this.#perMinute ? now : (this.#turns.shift() ?? now) + minuteMs;
    const at = Math.max(now, oldest, this.#heldUntil);
    if (Number.isFinite(this.#perMinute)) this.#turns.push(at);
    await this.#waitFor(at - now, signal);
  }

  /** Waits after a refusal, and resolves with whether the call may be sent again; at once with false for any other answer. */
  async refused(answer: Refused, refusals: number, signal: AbortSignal): Promise<boolean> {
    if (answer.status !== 429 || refusals >= mostRefusals || !this.#isByTime(answer)) return false;
    const seconds = Number.parseFloat(answer.retryAfter ?? '');
    const waitMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : usualWaitMs;
    this.#heldUntil = Math.max(this.#heldUntil, this.#time.now() + Math.min(waitMs, longestWaitMs));
    await this.turn(signal);
    return true;
  }

  /** The refusals of a limit that is not declared, as a sentence with the line that declares it; null for none. */
  get notice(): string | null {
    if (this.#learned === 0) return null;
    const limit = Number.isFinite(this.#perMinute) ? this.#perMinute : 'N';
    const waited = `the run has waited ${Math.ceil(this.pacedMs / 1_000)} s for it`;
    const rest = this.pacedMs < mostUndeclaredMs ? '' : ', and does not judge what it still refuses';
    return `the deployment limits calls by time, and the profile does not say so: ${waited}${rest}. Declare "http: { calls_per_minute: ${limit} }", or raise that limit for this run`;
  }

  #isByTime(answer: Refused): boolean {
    if (this.#isDeclared) return mayBeByTime(answer.text);
    if (!isUndeclaredByTime(answer)) return false;
    this.#learned += 1;
    const named = callsPerMinuteIn({ headers: [], ...answer });
    if (named !== null) this.#perMinute = Math.min(this.#perMinute, named);
    return this.pacedMs < mostUndeclaredMs;
  }

  async #waitFor(ms: number, signal: AbortSignal): Promise<void> {
    if (ms <= 0) return;
    if (this.#waiting === 0) this.#since = this.#time.now();
    this.#waiting += 1;
    try {
      await this.#time.wait(ms, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#pacedMs += this.#time.now() - this.#since;
    }
  }
}

const paces = new Map<string, Pace>();

/**
 * The pace of a deployment, which all clients of this process share; null without a declared limit.
 * @param learns whether refusals tell a limit that is not declared. Those of simulated upstreams mean other things.
 */
export function paceOf(
  { base_url, http, upstream }: Pick<Profile, 'base_url' | 'http' | 'upstream'>,
  time: PaceTime,
  learns = false,
): Pace | null {
  const { calls_per_minute: perMinute } = http;
  if (perMinute === undefined && !(learns && upstream === undefined)) return null;
  const name = `${perMinute ?? 'learned'} ${base_url}`;
  const pace = paces.get(name) ?? new Pace(perMinute ?? null, time);
  paces.set(name, pace);
  return pace;
}
