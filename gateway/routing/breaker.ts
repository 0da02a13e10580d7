import type { BreakerLimits } from '../config.ts';
import { FailureRow, witnessFailures } from './failure-row.ts';
import { OutcomeWindow, type PastSuccesses } from './outcome-window.ts';
import { isOf, type Witness } from './witness.ts';

/** `closed` admits every call, `open` none until the cool-down is over, `half-open` one probe at a time. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** Permission for one call; its outcome is reported to the breaker that gave it. */
export interface AdmittedCall {
  /** The breaker's generation when the call was admitted; each change of state starts a new one. */
  readonly generation: number;
}

/** What a breaker knows of those whose calls it admits, and does instead of an opening for all. */
export interface Suspects {
  /** Keeps the one out that is to blame alone. */
  shutOut(by: Witness, nowMs: number, why: string): void;
  /** Keeps the one out whose probe failed; false if it is not the only one, so that all are kept out. */
  probeFailed(by: Witness, nowMs: number, why: string): boolean;
}

export interface BreakerChange {
  readonly from: BreakerState;
  readonly to: BreakerState;
  /** The reason in the gateway's own words. */
  readonly why: string;
  /** For an opening: how long it stays open, and how often it has opened since it was last closed. */
  readonly forMs?: number;
  readonly opening?: number;
}

/**
 * The circuit breaker of one channel and model (B-108). It has no timers: at `openUntilMs` exactly, the next query
 * finds the breaker half-open. Outcomes of calls that were admitted before the last change of state are ignored.
 */
export class Breaker {
  readonly #limits: BreakerLimits;
  readonly #changed: (change: BreakerChange) => void;
  readonly #window: OutcomeWindow;
  #state: BreakerState = 'closed';
  #generation = 0;
  #openUntilMs = 0;
  /** How often it has opened since it was last closed. */
  #openings = 0;
  readonly #row = new FailureRow();
  readonly #suspects: Suspects | null;
  #probe: AdmittedCall | null = null;
  /** Until then another process is probing, unless it reports an earlier end. */
  #othersProbeUntilMs = 0;

  /**
   * `changed` receives every change of state when the breaker notices it. `suspects`: absent where all calls are of one
   * user.
   */
  constructor(
    limits: BreakerLimits,
    changed: (change: BreakerChange) => void,
    suspects: Suspects | null = null,
  ) {
    this.#limits = limits;
    this.#changed = changed;
    this.#suspects = suspects;
    this.#window = new OutcomeWindow(limits.window_ms);
  }

  state(nowMs: number): BreakerState {
    return this.#state === 'open' && nowMs >= this.#openUntilMs ? 'half-open' : this.#state;
  }

  /** Whether a call may pass now. */
  admits(nowMs: number): boolean {
    const state = this.state(nowMs);
    if (state === 'half-open' && nowMs < this.#othersProbeUntilMs) return false;
    return state === 'closed' || (state === 'half-open' && this.#probe === null);
  }

  /** Milliseconds until the breaker may admit a call; 0 when it is not open, also while a probe is in flight. */
  waitMs(nowMs: number): number {
    return this.#state === 'open' ? Math.max(0, this.#openUntilMs - nowMs) : 0;
  }

  /** Admits one call, or returns null. */
  admit(nowMs: number): AdmittedCall | null {
    if (!this.admits(nowMs)) return null;
    if (this.#state === 'open') this.#become('half-open', 'the cool-down is over');
    const call: AdmittedCall = { generation: this.#generation };
    if (this.#state === 'half-open') this.#probe = call;
    return call;
  }

  /** Whether this call is the probe. */
  isProbe(call: AdmittedCall): boolean {
    return this.#probe === call;
  }

  /**
   * The call works but has not ended. Closes the breaker after a successful start of a probe, without waiting for its end.
   */
  proven(call: AdmittedCall): void {
    if (this.#state === 'half-open' && this.#isCurrent(call)) this.#close();
  }

  /** Whether the call's outcome counts in the closed breaker. */
  counts(call: AdmittedCall): boolean {
    return this.#state === 'closed' && this.#isCurrent(call);
  }

  /** Whether there are recent failures that can contribute to opening it. */
  hasFailures(nowMs: number): boolean {
    return this.#row.count > 0 || (this.#window.failurePercent(1, nowMs) ?? 0) > 0;
  }

  /** `isReported`: other processes know of this success. */
  succeeded(call: AdmittedCall, nowMs: number, isReported = false): void {
    if (!this.#isCurrent(call)) return;
    if (this.#state === 'half-open') this.#close();
    else this.countSuccess(nowMs, isReported);
  }

  /**
   * `isAccount`: the failure is about our account at the upstream, so the breaker opens at once. It opens for longer where no
   * caller can have caused it for others. `by`: whose call it was.
   */
  failed(call: AdmittedCall, nowMs: number, why: string, isAccount: boolean, by = ''): void {
    if (!this.#isCurrent(call)) return;
    const outMs = this.#suspects === null ? this.#limits.account_out_ms : this.#coolDownMs();
    if (isAccount) this.#open(nowMs, outMs, why);
    else if (this.#state === 'half-open') this.#probeFailed(nowMs, why, by);
    else this.countFailure(nowMs, why, by);
  }

  /** A probe found that the upstream refuses our account. */
  refused(nowMs: number, why: string): void {
    if (this.state(nowMs) !== 'open') this.#open(nowMs, this.#limits.account_out_ms, why);
  }

  /** Counts a success, here or in another process; ignored while the breaker is open. */
  countSuccess(nowMs: number, isReported = true): void {
    if (this.#state !== 'closed') return;
    this.#row.clear();
    this.#window.add(false, nowMs, isReported);
    this.#judgeWindow(nowMs);
  }

  /** Adds successes of other processes from before a failure. They do not end a row of failures. */
  countPast(successes: PastSuccesses, nowMs: number): void {
    if (this.#state === 'closed') this.#window.addPast(successes, nowMs);
  }

  /** Returns this process's successes that were not reported, and marks them as reported. */
  takeUnreported(nowMs: number): PastSuccesses {
    return this.#state === 'closed' ? this.#window.takeUnreported(nowMs) : [];
  }

  /** Counts a failure, as in {@link countSuccess}. */
  countFailure(nowMs: number, why: string, by: Witness = ''): void {
    if (this.#state !== 'closed') return;
    this.#row.add(by);
    this.#window.add(true, nowMs, true, by);
    const alone = this.#suspects === null ? null : this.#row.alone;
    // Another one's failure is no news about the one that is to blame.
    const inARow = alone === null ? this.#row.count : isOf(by, alone) ? this.#row.countOf(alone) : 0;
    if (inARow >= this.#limits.consecutive_failures)
      this.#blame(alone, nowMs, `${inARow} failures in a row, the last: ${why}`);
    else this.#judgeWindow(nowMs);
  }

  /** Forgets the failures of a user or an account. */
  forgive(by: Witness): void {
    this.#row.forget(by);
    this.#window.forget(by);
  }

  /** Opens it for the usual time, unless it is open. */
  trip(nowMs: number, why: string): void {
    if (this.state(nowMs) !== 'open') this.#open(nowMs, this.#coolDownMs(), why);
  }

  /**
   * Opens with the breaker of another process, which has opened for the n-th time since it was closed. Ignored if this one
   * has opened as often.
   */
  openAlso(nowMs: number, opening: number, forMs: number, why: string): void {
    if (this.#openings >= opening && this.#state !== 'closed') return;
    this.#openings = opening - 1;
    this.#open(nowMs, forMs, why);
  }

  /** Another process is probing until this time, so this one waits; `null`: that probe ended without a result. */
  leaveProbeTo(untilMs: number | null): void {
    this.#othersProbeUntilMs = untilMs ?? 0;
  }

  /** Closes because the probe of another process succeeded. */
  closeAlso(): void {
    if (this.#state !== 'closed') this.#close();
  }

  /** The outcome says nothing about the channel. If the call was the probe, the next call may probe. */
  abandoned(call: AdmittedCall): void {
    if (this.#probe === call) this.#probe = null;
  }

  #isCurrent(call: AdmittedCall): boolean {
    return call.generation === this.#generation && (this.#state !== 'half-open' || this.#probe === call);
  }

  #judgeWindow(nowMs: number): void {
    const { window_least: min, window_failure_percent: limit } = this.#limits;
    const percent = this.#window.failurePercent(min, nowMs);
    if (percent === null || percent < limit) return;
    const alone = this.#window.alone({ percent: limit, least: witnessFailures });
    this.#blame(alone, nowMs, `${Math.round(percent)} % failures in the window`);
  }

  #blame(by: Witness | null, nowMs: number, why: string): void {
    if (by === null || this.#suspects === null) {
      this.trip(nowMs, why);
      return;
    }
    this.#window.forget(by);
    this.#suspects.shutOut(by, nowMs, why);
  }

  /** The request of a single one may have caused the failure: then the probe is left to another one. */
  #probeFailed(nowMs: number, why: string, by: Witness): void {
    if (this.#suspects?.probeFailed(by, nowMs, `its probe failed: ${why}`) === true) this.#probe = null;
    else this.#open(nowMs, this.#coolDownMs(), why);
  }

  #coolDownMs(): number {
    const { cool_down_ms: waits } = this.#limits;
    // The configuration has at least one entry.
    return waits[Math.min(this.#openings, waits.length - 1)] ?? 0;
  }

  #open(nowMs: number, forMs: number, why: string): void {
    this.#openUntilMs = nowMs + forMs;
    this.#openings += 1;
    this.#become('open', why, { forMs, opening: this.#openings });
  }

  #close(): void {
    this.#openings = 0;
    this.#become('closed', 'the probe was answered');
  }

  #become(to: BreakerState, why: string, more: Pick<BreakerChange, 'forMs' | 'opening'> = {}): void {
    const from = this.#state;
    this.#state = to;
    this.#generation += 1;
    this.#probe = null;
    this.#othersProbeUntilMs = 0;
    this.#row.clear();
    this.#window.clear();
    this.#changed({ from, to, why, ...more });
  }
}
