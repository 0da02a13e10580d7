import type { BreakerLimits } from '../config.ts';
import { OutcomeWindow } from './outcome-window.ts';

/** Everything passes; nothing does until the cool-down is over; one probe at a time does. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** Leave to make one call, to be reported to the breaker that gave it. */
export interface AdmittedCall {
  /** In which stretch of the breaker's life it was given. */
  readonly generation: number;
}

export interface BreakerChange {
  readonly from: BreakerState;
  readonly to: BreakerState;
  /** In our own words. */
  readonly why: string;
}

/**
 * The circuit breaker of one channel and model (B-108). It has no timers: an open breaker is found half-open by whoever
 * asks when its cool-down is over, which is the very millisecond `openUntilMs`. What comes of a call that was let
 * through before the last change says nothing any more.
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
  #failuresInARow = 0;
  #probe: AdmittedCall | null = null;

  /** `changed` is told every change of the state, when it is noticed. */
  constructor(limits: BreakerLimits, changed: (change: BreakerChange) => void) {
    this.#limits = limits;
    this.#changed = changed;
    this.#window = new OutcomeWindow(limits.window_ms);
  }

  state(nowMs: number): BreakerState {
    return this.#state === 'open' && nowMs >= this.#openUntilMs ? 'half-open' : this.#state;
  }

  /** Whether a call may pass now. */
  admits(nowMs: number): boolean {
    const state = this.state(nowMs);
    return state === 'closed' || (state === 'half-open' && this.#probe === null);
  }

  /** How long it stays open, in milliseconds; 0 when it is not, and while a probe is under way. */
  waitMs(nowMs: number): number {
    return this.#state === 'open' ? Math.max(0, this.#openUntilMs - nowMs) : 0;
  }

  /** Lets one call pass, or null. */
  admit(nowMs: number): AdmittedCall | null {
    if (!this.admits(nowMs)) return null;
    if (this.#state === 'open') this.#become('half-open', 'the cool-down is over');
    const call: AdmittedCall = { generation: this.#generation };
    if (this.#state === 'half-open') this.#probe = call;
    return call;
  }

  /** The call goes well, though it is not over: a probe need not keep all others waiting for its end. */
  proven(call: AdmittedCall): void {
    if (this.#state === 'half-open' && this.#isCurrent(call)) this.#close();
  }

  succeeded(call: AdmittedCall, nowMs: number): void {
    if (!this.#isCurrent(call)) return;
    if (this.#state === 'half-open') {
      this.#close();
      return;
    }
    this.#failuresInARow = 0;
    this.#window.add(false, nowMs);
    this.#judgeWindow(nowMs);
  }

  /** `isAccount`: the account at the upstream is the trouble, so the channel is out for longer, and at once. */
  failed(call: AdmittedCall, nowMs: number, why: string, isAccount: boolean): void {
    if (!this.#isCurrent(call)) return;
    if (isAccount) {
      this.#open(nowMs, this.#limits.account_out_ms, why);
      return;
    }
    if (this.#state === 'half-open') {
      this.#open(nowMs, this.#coolDownMs(), why);
      return;
    }
    this.#failuresInARow += 1;
    this.#window.add(true, nowMs);
    if (this.#failuresInARow >= this.#limits.consecutive_failures) {
      this.#open(nowMs, this.#coolDownMs(), `${this.#failuresInARow} failures in a row, the last: ${why}`);
      return;
    }
    this.#judgeWindow(nowMs);
  }

  /** The call came to nothing that says anything about the channel; a probe makes room for the next. */
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
    this.#open(nowMs, this.#coolDownMs(), `${Math.round(percent)} % failures in the window`);
  }

  #coolDownMs(): number {
    const { cool_down_ms: waits } = this.#limits;
    // The configuration names at least one.
    return waits[Math.min(this.#openings, waits.length - 1)] ?? 0;
  }

  #open(nowMs: number, forMs: number, why: string): void {
    this.#openUntilMs = nowMs + forMs;
    this.#openings += 1;
    this.#become('open', why);
  }

  #close(): void {
    this.#openings = 0;
    this.#become('closed', 'the probe was answered');
  }

  #become(to: BreakerState, why: string): void {
    const from = this.#state;
    this.#state = to;
    this.#generation += 1;
    this.#probe = null;
    this.#failuresInARow = 0;
    this.#window.clear();
    this.#changed({ from, to, why });
  }
}
