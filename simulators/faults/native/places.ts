import type { OpenFrame } from './open-answer.ts';

/** Any object with a frame label. */
type Labelled = Pick<OpenFrame, 'label'>;

/** How many deltas pass before most faults that act in the middle of an answer. */
export const usualDeltas = 2;

/** The index of the first frame to hold back after `after` content deltas; at most the index of the ending. */
export function placeAfter(frames: readonly Labelled[], after: number | null): number {
  const delta = placeOf(frames, `delta-${after ?? usualDeltas}`);
  return delta === -1 ? placeOf(frames, 'finish') : delta;
}

/** The index of the first content delta, or of the ending when there is none. */
export function firstContent(frames: readonly Labelled[]): number {
  return placeAfter(frames, 0);
}

export function placeOf(frames: readonly Labelled[], label: string): number {
  return frames.findIndex((frame) => frame.label === label);
}

export function isDelta({ label }: Labelled): boolean {
  return label.startsWith('delta-');
}

/** The frames with others inserted at the index. */
export function insertAt<T>(frames: readonly T[], place: number, ...others: readonly T[]): T[] {
  return [...frames.slice(0, place), ...others, ...frames.slice(place)];
}
