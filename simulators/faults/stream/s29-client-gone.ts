import type { Fault } from '../../fault-contract/fault.ts';
import { inCharacters } from '../native/characters.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { isDelta } from '../native/places.ts';

/** The interval between two characters, ms. */
const usualGapMs = 100;

/** A stream slow enough for a client to disconnect in the middle: one character at a time. */
export const slowStream: Fault = editAnswer('S29', (frames, { dialect, waitMs }) => {
  const gapMs = waitMs ?? usualGapMs;
  const slow = inCharacters(frames, dialect, (k) => k * gapMs);
  const deltas = slow.filter(isDelta).length;
  // A stream of one character has no middle.
  if (deltas < 2) return [...frames];
  const lastDelta = slow.findLastIndex(isDelta);
  return slow.map((frame, at) => (at > lastDelta ? { ...frame, dueMs: deltas * gapMs } : frame));
});
