import { Lane } from './lane.ts';

/** More lanes than any run uses; a client that invents names must not fill the process. */
const mostLanes = 4096;

/** Where requests without a lane in their address go. */
export const defaultLane = 'default';
export const defaultChannel = 'default';

/** All lanes of a process. A lane exists as soon as somebody names it. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();

  /** The lane of that name, or null when there is no room for another one. */
  find(name: string): Lane | null {
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    if (this.#lanes.size >= mostLanes) return null;
    const lane = new Lane(name);
    this.#lanes.set(name, lane);
    return lane;
  }
}

/** Whether the name can stand as the first segment of an address: not `v1`, which begins a native path. */
export function isLaneName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(name) && !isVersionSegment(name);
}

export function isVersionSegment(segment: string): boolean {
  return /^v\d/.test(segment);
}
