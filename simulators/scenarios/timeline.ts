import type { Phase, ScenarioChannel } from '../control/scenario.ts';

/** A phase in force. */
export interface CurrentPhase {
  readonly index: number;
  readonly phase: Phase;
  /** When it began, ms of the simulators' clock. */
  readonly sinceMs: number;
}

/** Which phase of one channel is in force. Timed phases follow each other by the clock, others by a step. */
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

  /** The phase in force at a time that is not before the last one asked for; null before none and after the last. */
  at(nowMs: number): CurrentPhase | null {
    this.#skipRounds(nowMs);
    let phase = this.#phases[this.#index];
    while (phase?.for_ms !== undefined && nowMs >= this.#sinceMs + phase.for_ms) {
      this.#enter(this.#index + 1, this.#sinceMs + phase.for_ms);
      phase = this.#phases[this.#index];
    }
    return phase === undefined ? null : { index: this.#index, phase, sinceMs: this.#sinceMs };
  }

  /** Goes to the next phase now, whether the one in force was timed or not. */
  step(nowMs: number): void {
    if (this.at(nowMs) !== null) this.#enter(this.#index + 1, nowMs);
  }

  #enter(index: number, atMs: number): void {
    this.#index = this.#loop ? index % this.#phases.length : index;
    this.#sinceMs = atMs;
  }

  /** A clock may jump over many rounds of a loop at once. */
  #skipRounds(nowMs: number): void {
    const roundMs = this.#phases.reduce((sum, { for_ms: forMs = Infinity }) => sum + forMs, 0);
    if (!this.#loop || roundMs === 0 || roundMs === Infinity) return;
    this.#sinceMs += Math.max(0, Math.floor((nowMs - this.#sinceMs) / roundMs)) * roundMs;
  }
}
