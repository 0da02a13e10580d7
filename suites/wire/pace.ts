import type { Profile } from '../profile/profile.ts';
import { mayBeByTime } from './rate-limit.ts';

const minuteMs = 60_000;

/** How often one call may meet the limit, although the run is slower than declared: other clients may share it. */
const mostRefusals = 5;

/** The wait after a refusal that names none, ms, and the longest that is believed. */
const usualWaitMs = 5_000;
const longestWaitMs = 2 * minuteMs;

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
  readonly #perMinute: number;
  readonly #time: PaceTime;
  /** When the last calls are sent, the latest at the end, ms. */
  readonly #turns: number[] = [];
  /** Before this time nothing is sent, ms. */
  #heldUntil = Number.NEGATIVE_INFINITY;
  #waiting = 0;
  #since = 0;
  #pacedMs = 0;

  constructor(perMinute: number, time: PaceTime) {
    this.#perMinute = perMinute;
    this.#time = time;
  }

  /** How long at least one call has waited for its turn, ms: no time that a check took. */
  get pacedMs(): number {
    return this.#waiting > 0 ? this.#pacedMs + this.#time.now() - this.#since : this.#pacedMs;
  }

  /** Resolves when the next call may be sent. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = this.#time.now();
    const oldest = this.#turns.length < this.#perMinute ? now : (this.#turns.shift() ?? now) + minuteMs;
    const at = Math.max(now, oldest, this.#heldUntil);
    this.#turns.push(at);
    await this.#waitFor(at - now, signal);
  }

  /** Waits after a refusal, and resolves with whether the call may be sent again; at once with false for any other answer. */
  async refused(
    answer: { readonly status: number; readonly retryAfter: string | null; readonly text: string },
    refusals: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (answer.status !== 429 || !mayBeByTime(answer.text) || refusals >= mostRefusals) return false;
    const seconds = Number.parseFloat(answer.retryAfter ?? '');
    const waitMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : usualWaitMs;
    this.#heldUntil = Math.max(this.#heldUntil, this.#time.now() + Math.min(waitMs, longestWaitMs));
    await this.turn(signal);
    return true;
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

/** The pace of a deployment, which all clients of this process share; null without a declared limit. */
export function paceOf({ base_url, http }: Pick<Profile, 'base_url' | 'http'>, time: PaceTime): Pace | null {
  const { calls_per_minute: perMinute } = http;
  if (perMinute === undefined) return null;
  const name = `${perMinute} ${base_url}`;
  const pace = paces.get(name) ?? new Pace(perMinute, time);
  paces.set(name, pace);
  return pace;
}
