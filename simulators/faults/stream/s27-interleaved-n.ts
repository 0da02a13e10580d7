import type { DialectName } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { firstChunk } from '../native/content.ts';
import { editAnswer } from '../native/edit-answer.ts';
import type { JsonObject } from '../native/json-path.ts';
import type { OpenFrame } from '../native/open-answer.ts';
import { isDelta } from '../native/places.ts';

/** The word that the other choice repeats. */
export const otherText = 'other';

/** An unrequested second choice alternates with the first, and ends before it. */
export const interleavedChoices: Fault = editAnswer('S27', (frames, { dialect }) => {
  const envelope = firstChunk(frames);
  const second = (dueMs: number, word: string | null): OpenFrame => ({
    label: 'second',
    dueMs,
    events: [{ name: null, data: { ...envelope, ...secondChoice(dialect, word) } }],
  });
  return frames.flatMap((frame) => {
    if (isDelta(frame)) return [frame, second(frame.dueMs, otherText)];
    return frame.label === 'finish' ? [second(frame.dueMs, null), frame] : [frame];
  });
});

/** One word of the second choice, or its ending. */
function secondChoice(dialect: DialectName, word: string | null): JsonObject {
  if (dialect === 'generate-content') {
    const content = { parts: [{ text: word ?? '' }], role: 'model' };
    return { candidates: [{ content, index: 1, ...(word === null ? { finishReason: 'STOP' } : {}) }] };
  }
  const delta = word === null ? {} : { role: 'assistant', content: word };
  return { choices: [{ index: 1, delta, logprobs: null, finish_reason: word === null ? 'stop' : null }] };
}
