/** Weight of the latest outcome against all earlier ones. */
const newest = 0.3;
/** Without new outcomes, an average loses half its weight in this time. */
const halfLifeMs = 30_000;
/** From these values on, the share of failures or the slowness (in powers of two) changes the health class. */
const failing = 0.25;
const slow = 1;
/** Latencies below this count as equal. */
const latencyFloorMs = 50;
/** A latency whose weight has faded below this counts as unknown. */
const minCertainty = 0.05;

/** The health of a channel, best first. */
export const healthClasses = ['well', 'slow', 'failing'] as const;
export type HealthClass = (typeof healthClasses)[number];

/** Latency is kept per kind: a whole answer and the first piece of a stream are not comparable. */
export type CallKind = 'plain' | 'stream';

/** An average that favours the latest values and fades to 0 over time. */
class FadingAverage {
  #value = 0;
  #atMs = 0;

  at(nowMs: number): number {
    return this.#value * 2 ** (-Math.max(0, nowMs - this.#atMs) / halfLifeMs);
  }

  add(value: number, nowMs: number): void {
    const faded = this.at(nowMs);
    this.#value = faded + newest * (value - faded);
    this.#atMs = nowMs;
  }
}

/**
 * Health of one channel and model, from recent outcomes and latencies. Without new ones it returns to neutral. So
 * a channel that lost its traffic because of failures gets some again.
 */
export class Health {
  #failures = new FadingAverage();
  /** Sum and weight of the latencies: their quotient is the usual latency, the weight its certainty. */
  readonly #waits: Readonly<Record<CallKind, { sum: FadingAverage; weight: FadingAverage }>> = {
    plain: { sum: new FadingAverage(), weight: new FadingAverage() },
    stream: { sum: new FadingAverage(), weight: new FadingAverage() },
  };

  ended(isFailure: boolean, nowMs: number): void {
    this.#failures.add(isFailure ? 1 : 0, nowMs);
  }

  /** Records the latency of an answer: of the whole, or of the first piece of a stream. */
  waited(kind: CallKind, waitMs: number, nowMs: number): void {
    this.#waits[kind].sum.add(waitMs, nowMs);
    this.#waits[kind].weight.add(1, nowMs);
  }

  /** Forgets past failures: the breaker has closed again. */
  recovered(): void {
    this.#failures = new FadingAverage();
  }

  /** The usual latency in milliseconds; null when unknown. */
  latencyMs(kind: CallKind, nowMs: number): number | null {
    const weight = this.#waits[kind].weight.at(nowMs);
    return weight < minCertainty ? null : this.#waits[kind].sum.at(nowMs) / weight;
  }

  /** `fastestMs` is the latency of the model's fastest channel; null when none is known. */
  classify(kind: CallKind, fastestMs: number | null, nowMs: number): HealthClass {
    if (this.#failures.at(nowMs) >= failing) return 'failing';
    const latency = this.latencyMs(kind, nowMs);
    if (latency === null || fastestMs === null) return 'well';
    const factor = Math.max(latency, latencyFloorMs) / Math.max(fastestMs, latencyFloorMs);
    return Math.log2(factor) * this.#waits[kind].weight.at(nowMs) >= slow ? 'slow' : 'well';
  }
}
