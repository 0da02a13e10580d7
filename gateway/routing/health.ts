/** How much the latest outcome weighs against all before it. */
const newest = 0.3;
/** In this time without news an opinion loses half its weight. */
const halfLifeMs = 30_000;
/** From here on a share of failures, or a factor of slowness in powers of two, makes a difference. */
const failing = 0.25;
const slow = 1;
/** Waits below this are all the same. */
const latencyFloorMs = 50;
/** An opinion on the latency that has faded below this is none. */
const minCertainty = 0.05;

/** How a channel does, best first. */
export const healthClasses = ['well', 'slow', 'failing'] as const;
export type HealthClass = (typeof healthClasses)[number];

/** Waits for whole answers and for the first piece of a stream are different things. */
export type CallKind = 'plain' | 'stream';

/** An average that leans to the latest values and fades to 0 with time. */
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
 * What recent outcomes and waits say about one channel and model. Without news it returns to neutral, so that a channel
 * that got no traffic for its failures gets some again.
 */
export class Health {
  #failures = new FadingAverage();
  /** Sum and weight of the waits: their quotient is the wait, the weight how certain that is. */
  readonly #waits: Readonly<Record<CallKind, { sum: FadingAverage; weight: FadingAverage }>> = {
    plain: { sum: new FadingAverage(), weight: new FadingAverage() },
    stream: { sum: new FadingAverage(), weight: new FadingAverage() },
  };

  ended(isFailure: boolean, nowMs: number): void {
    this.#failures.add(isFailure ? 1 : 0, nowMs);
  }

  /** Something came after `waitMs`: the whole answer of a plain call, the first piece of a stream. */
  waited(kind: CallKind, waitMs: number, nowMs: number): void {
    this.#waits[kind].sum.add(waitMs, nowMs);
    this.#waits[kind].weight.add(1, nowMs);
  }

  /** Failures are forgiven: the breaker has closed again. */
  recovered(): void {
    this.#failures = new FadingAverage();
  }

  /** The usual wait in milliseconds; null when nothing is known. */
  latencyMs(kind: CallKind, nowMs: number): number | null {
    const weight = this.#waits[kind].weight.at(nowMs);
    return weight < minCertainty ? null : this.#waits[kind].sum.at(nowMs) / weight;
  }

  /** `fastestMs` is the latency of the fastest channel of the model; null when none is known. */
  classify(kind: CallKind, fastestMs: number | null, nowMs: number): HealthClass {
    if (this.#failures.at(nowMs) >= failing) return 'failing';
    const latency = this.latencyMs(kind, nowMs);
    if (latency === null || fastestMs === null) return 'well';
    const factor = Math.max(latency, latencyFloorMs) / Math.max(fastestMs, latencyFloorMs);
    return Math.log2(factor) * this.#waits[kind].weight.at(nowMs) >= slow ? 'slow' : 'well';
  }
}
