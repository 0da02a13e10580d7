import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How late this process is, ms, when another one has the processor. */
const lateMs = 200;
const nsPerMs = 1e6;

/** Counts the moments at which this process itself was late, so that times it measured meanwhile say little. */
export class OwnLateness {
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });
  #count = 0;

  constructor() {
    this.#delay.enable();
  }

  /** How often it was late so far; it only grows. */
  get count(): number {
    this.look();
    return this.#count;
  }

  look(): void {
    if (this.#delay.max > lateMs * nsPerMs) this.#count += 1;
    this.#delay.reset();
  }

  close(): void {
    this.#delay.disable();
  }
}
