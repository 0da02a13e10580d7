/** Bounds of a requested pause. */
const minMs = 1_000;
const maxMs = 60_000;
/** After this part of a long pause, one call at a time may try, because a single answer requested the pause. */
const tryAfterMs = 30_000;

/** The pause that an upstream asked for (B-110). */
export class Cooling {
  #untilMs = 0;
  #tryAtMs = 0;
  #trial: object | null = null;

  /** Starts or extends a pause. */
  ask(forMs: number, nowMs: number): void {
    const believedMs = Math.min(Math.max(forMs, minMs), maxMs);
    this.#untilMs = Math.max(this.#untilMs, nowMs + believedMs);
    this.#tryAtMs = Math.max(this.#tryAtMs, nowMs + Math.min(believedMs, tryAfterMs));
  }

  isOn(nowMs: number): boolean {
    return nowMs < this.#untilMs;
  }

  /** Milliseconds until a call may pass; 0 if one may pass now. */
  waitMs(nowMs: number): number {
    if (!this.isOn(nowMs)) return 0;
    return this.#trial === null ? Math.max(0, this.#tryAtMs - nowMs) : this.#untilMs - nowMs;
  }

  /** Admits a call: during a pause it is the trial. */
  pass(call: object, nowMs: number): void {
    if (this.isOn(nowMs)) this.#trial = call;
  }

  /** The trial was answered: the pause is over. */
  answered(call: object): void {
    if (this.#trial === call) this.#untilMs = 0;
  }

  /** The trial has ended, so the next call may try. */
  ended(call: object): void {
    if (this.#trial === call) this.#trial = null;
  }
}
