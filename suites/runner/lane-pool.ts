import type { LaneProfile, Profile } from '../profile/profile.ts';

/** Lanes that a check has for itself while it runs. */
export interface Lease {
  readonly lanes: readonly [LaneProfile, ...LaneProfile[]];
  /** False on a deployment without lanes, where K1 may be in use elsewhere. */
  readonly own: boolean;
  release(): void;
}

/** Which lanes are not fit for use on one gateway, and how they become so again. */
export interface Fitness {
  isFit(lane: string): boolean;
  /** Afterwards the lanes that are free now are fit. */
  recover(): Promise<void>;
}

const alwaysFit: Fitness = { isFit: () => true, recover: () => Promise.resolve() };

/** The lanes of one stack. A deployment without lanes counts as one lane: its checks run one at a time. */
export class LanePool {
  readonly size: number;
  readonly #free: LaneProfile[];
  readonly #own: boolean;
  /** Requests are served in order, so that one for many lanes is not starved by those for one. */
  #line: Promise<unknown> = Promise.resolve();
  #wake: () => void = () => undefined;

  constructor(profile: Profile) {
    this.#own = profile.lanes.length > 0;
    this.#free = this.#own ? [...profile.lanes] : [{ name: 'default', keys: profile.keys, channels: {} }];
    this.size = this.#free.length;
  }

  /** So many lanes, or all there are, once they are free and fit. */
  async lease(count = 1, fitness: Fitness = alwaysFit): Promise<Lease> {
    const turn = this.#line.then(() => this.#take(Math.min(count, this.size), fitness));
    this.#line = turn.catch(() => undefined);
    const lanes = await turn;
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      this.#free.push(...lanes);
      this.#wake();
    };
    return { lanes: lanes as [LaneProfile, ...LaneProfile[]], own: this.#own, release };
  }

  async #take(count: number, fitness: Fitness): Promise<LaneProfile[]> {
    for (;;) {
      const fit = this.#free.filter((lane) => fitness.isFit(lane.name)).slice(0, count);
      if (fit.length === count) {
        for (const lane of fit) this.#free.splice(this.#free.indexOf(lane), 1);
        return fit;
      }
      if (this.#free.length >= count) await fitness.recover();
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
