import type { LaneProfile, Profile } from '../targets/profile.ts';

/** A lane that a check has for itself while it runs. */
export interface Lease {
  readonly lane: LaneProfile;
  /** False on a deployment without lanes, where K1 may be in use elsewhere. */
  readonly own: boolean;
  release(): void;
}

/** The lanes of one stack. A deployment without lanes counts as one lane: its checks run one at a time. */
export class LanePool {
  readonly size: number;
  readonly #free: LaneProfile[];
  readonly #waiting: ((lane: LaneProfile) => void)[] = [];
  readonly #own: boolean;

  constructor(profile: Profile) {
    this.#own = profile.lanes.length > 0;
    this.#free = this.#own ? [...profile.lanes] : [{ name: 'default', keys: profile.keys, channels: {} }];
    this.size = this.#free.length;
  }

  async lease(): Promise<Lease> {
    const lane =
      this.#free.shift() ?? (await new Promise<LaneProfile>((resolve) => this.#waiting.push(resolve)));
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      const next = this.#waiting.shift();
      if (next) next(lane);
      else this.#free.push(lane);
    };
    return { lane, own: this.#own, release };
  }
}
