import type { Scenario } from '../control/scenario.ts';
import { keysIn } from '../scenarios/keys-in.ts';
import { JournalSpace } from './journal-space.ts';
import { Lane } from './lane.ts';
import { Redaction } from './redaction.ts';
import { ScopeRules } from './scope-rules.ts';

/** More lanes than any run uses; a client that invents names must not fill the process. */
const mostLanes = 4096;

/** What all lanes of a process share. */
export interface LanesOptions {
  readonly seed?: number;
  /** The time of the simulators' clock, ms. */
  readonly now?: () => number;
  /** What every lane goes through that has no scenario of its own. */
  readonly scenario?: Scenario | null;
}

/** All lanes of a process. A lane exists as soon as somebody names it; one that was reset may give way to another. */
export class Lanes {
  readonly rules = new ScopeRules();
  readonly #redaction = new Redaction();
  readonly #space = new JournalSpace();
  readonly #options: LanesOptions;
  readonly #lanes = new Map<string, Lane>();
  /** The highest number of a request in a lane that was forgotten. */
  #lastForgotten = 0;

  constructor(options: LanesOptions = {}) {
    this.#options = options;
    const { scenario = null } = options;
    if (scenario === null) return;
    this.hide(keysIn(scenario));
    for (const rule of scenario.scopes ?? []) this.rules.add(rule);
  }

  /** Never shows these keys again, in no journal; false when there are too many. */
  hide(keys: readonly string[]): boolean {
    return keys.every((key) => this.#redaction.add(key));
  }

  /** The value as it may be shown: without the keys, wherever in its texts and names they stand. */
  redacted<T>(value: T): T {
    return this.#redaction.value(value);
  }

  /** The lane of that name, or null when there is no room for another one. */
  find(name: string): Lane | null {
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    if (this.#lanes.size >= mostLanes && !this.#forgetOne()) return null;
    const lane = new Lane(name, { ...this.#options, redaction: this.#redaction, space: this.#space });
    lane.journal.countFrom(this.#lastForgotten);
    this.#lanes.set(name, lane);
    return lane;
  }

  /** Forgets a lane that is as good as new, for room. Numbers of requests go on, in whichever lane. */
  #forgetOne(): boolean {
    for (const [name, lane] of this.#lanes) {
      if (!lane.isFresh) continue;
      this.#lanes.delete(name);
      this.#space.remove(lane.journal);
      this.#lastForgotten = Math.max(this.#lastForgotten, lane.journal.lastN);
      return true;
    }
    return false;
  }
}
