import { setTimeout as wait } from 'node:timers/promises';
import type { Profile } from '../../profile/profile.ts';
import { Untestable } from '../../rules/violation.ts';
import type { StackClock } from '../clock-control.ts';
import { canWait } from '../has-fact.ts';
import type { LockstepTime } from '../lockstep.ts';

/** The longest single wait without a movable clock, and the longest total wait of one check, ms. */
const maxWaitMs = 10_000;
const maxWaitsMs = 60_000;

/** The deployment's clock as one check reads it and advances it. */
export class CheckClock {
  readonly #clock: StackClock | null;
  /** This check's timeline, when other checks move the same clock. */
  readonly #timeline: LockstepTime | null;
  /** How far the clock is ahead when it cannot be read, ms. */
  readonly #skewMs: number;
  readonly #profile: Profile;
  readonly #signal: AbortSignal;
  #waitedMs = 0;

  constructor(
    clock: StackClock | null,
    profile: Profile,
    signal: AbortSignal,
    {
      skewMs = 0,
      timeline = null,
    }: { readonly skewMs?: number; readonly timeline?: LockstepTime | null } = {},
  ) {
    this.#clock = clock;
    this.#timeline = timeline;
    this.#skewMs = skewMs;
    this.#profile = profile;
    this.#signal = signal;
  }

  /** The same clock on one of the check's timelines. */
  within(timeline: LockstepTime): CheckClock {
    return new CheckClock(this.#clock, this.#profile, this.#signal, { skewMs: this.#skewMs, timeline });
  }

  /** How far the deployment's clock is ahead of ours, ms. */
  get aheadMs(): number {
    return this.#clock?.aheadMs ?? this.#skewMs;
  }

  /** The deployment's time, ms since the epoch. */
  now(): number {
    return Date.now() + this.aheadMs;
  }

  /** What the deployment's clock showed at one of our times, as a range. */
  timeAt(realMs: number): { readonly min: number; readonly max: number } {
    const shown = realMs + this.#skewMs;
    return this.#clock?.timeAt(realMs) ?? { min: shown, max: shown };
  }

  /** The time of ours at which the deployment's clock showed a time, as a range. */
  realAt(shownMs: number): { readonly min: number; readonly max: number } {
    const real = shownMs - this.#skewMs;
    return this.#clock?.realAt(shownMs) ?? { min: real, max: real };
  }

  /**
   * Moves the clock, for checks that declare `clock: 'jump'`.
   * @param lateMs as for {@link elapse}
   * @throws Untestable where no clock can be moved.
   */
  async jump(ms: number, lateMs = 0): Promise<void> {
    if (this.#clock === null) throw new Untestable('hooks.clock');
    await this.#move(this.#clock, ms, lateMs);
  }

  /**
   * Lets time pass, for checks that declare `clock: 'jump'`. It moves the clock where that is possible. Otherwise it waits,
   * if this wait and the total so far are short enough.
   * @param lateMs how much more may pass, so that other checks can go on at the same time
   * @throws Untestable when neither is possible.
   */
  async elapse(ms: number, lateMs = 0): Promise<void> {
    if (this.#clock !== null) await this.#move(this.#clock, ms, lateMs);
    else if (canWait(this.#profile) && ms <= maxWaitMs && this.#waitedMs + ms <= maxWaitsMs) {
      this.#waitedMs += ms;
      await wait(ms, undefined, { signal: this.#signal });
    } else throw new Untestable('hooks.clock');
  }

  /**
   * Lets time pass until the deployment's clock shows `atMs`; returns at once if it already does. Otherwise as {@link
   * elapse}.
   */
  async elapseTo(atMs: number): Promise<void> {
    await this.elapse(Math.max(1, atMs - this.now()));
  }

  /** When other checks share the clock, this waits until all of them wait and the time has come. */
  async #move(clock: StackClock, ms: number, lateMs: number): Promise<void> {
    const timeline = this.#timeline;
    await (timeline === null ? clock.advance(ms) : timeline.until(timeline.now() + ms, this.#signal, lateMs));
  }
}
