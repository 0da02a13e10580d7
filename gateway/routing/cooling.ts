/** A pause is at least this long, and no answer is believed that asks for more. */
const minMs = 1_000;
const maxMs = 60_000;
/** After this time of a longer pause one call at a time may try, since a single answer asked for it. */
const tryAfterMs = 30_000;

/** The pause that an upstream asked for (B-110). */
export class Cooling {
  #untilMs = 0;
  #tryAtMs = 0;
  #trial: object | null = null;

  /** Begins a pause, or makes it longer. */
  ask(forMs: number, nowMs: number): void {
    const believedMs = Math.min(Math.max(forMs, minMs), maxMs);
    this.#untilMs = Math.max(this.#untilMs, nowMs + believedMs);
    this.#tryAtMs = Math.max(this.#tryAtMs, nowMs + Math.min(believedMs, tryAfterMs));
  }

  isOn(nowMs: number): boolean {
    return nowMs < this.#untilMs;
  }

  /** Milliseconds until a call may pass; 0 when one may now. */
  waitMs(nowMs: number): number {
    if (!this.isOn(nowMs)) return 0;
    return this.#trial === null ? Math.max(0, this.#tryAtMs - nowMs) : this.#untilMs - nowMs;
  }

  /** A call passes: during a pause it is the trial. */
  pass(call: object, nowMs: number): void {
    if (this.isOn(nowMs)) this.#trial = call;
  }

  /** The trial was answered: the pause is over. */
  answered(call: object): void {
    if (this.#trial === call) this.#untilMs = 0;
  }

  /** After the trial the next one may try, unless the pause began anew. */
  ended(call: object): void {
    if (this.#trial === call) this.#trial = null;
  }
}
