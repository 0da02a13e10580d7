import type { Phase, ScenarioChannel } from '../control/scenario.ts';

/** The current phase of a channel. */
export interface CurrentPhase {
  readonly index: number;
  readonly phase: Phase;
  /** When it began, ms of the simulators' clock. */
  readonly sinceMs: number;
}

/** Tracks the current phase of one channel. Timed phases end by the clock, others by a step. */
export class Timeline {
  readonly #phases: readonly Phase[];
  readonly #loop: boolean;
  #index = 0;
  #sinceMs: number;

  constructor({ phases = [], loop = false }: ScenarioChannel, beganAtMs: number) {
    this.#phases = phases;
    this.#loop = loop;
    this.#sinceMs = beganAtMs;
  }

  /** The phase at `nowMs`, or null outside of phases. Times must not go back between calls. */
  at(nowMs: number): CurrentPhase | null {
    this.#skipRounds(nowMs);
    let phase = this.#phases[this.#index];
    while (phase?.for_ms !== undefined && nowMs >= this.#sinceMs + phase.for_ms) {
      this.#enter(this.#index + 1, this.#sinceMs + phase.for_ms);
      phase = this.#phases[this.#index];
    }
    return phase === undefined ? null : { index: this.#index, phase, sinceMs: this.#sinceMs };
  }

  /** Starts the next phase now, whether the current one is timed or not. */
  step(nowMs: number): void {
    if (this.at(nowMs) !== null) this.#enter(this.#index + 1, nowMs);
  }

  #enter(index: number, atMs: number): void {
    this.#index = this.#loop ? index % this.#phases.length : index;
    this.#sinceMs = atMs;
  }

  /** Skips whole rounds of a loop, because a clock may jump over many at once. */
  #skipRounds(nowMs: number): void {
    const roundMs = this.#phases.reduce((sum, { for_ms: forMs = Infinity }) => sum + forMs, 0);
    if (!this.#loop || roundMs === 0 || roundMs === Infinity) return;
    this.#sinceMs += Math.max(0, Math.floor((nowMs - this.#sinceMs) / roundMs)) * roundMs;
  }
}
