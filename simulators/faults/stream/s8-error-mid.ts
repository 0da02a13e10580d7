import type { DialectName } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { firstChunk } from '../native/content.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { endOfBroken, errorEvent, errorOfForm } from '../native/error-events.ts';
import type { NativeEvent, OpenFrame } from '../native/open-answer.ts';
import { placeAfter } from '../native/places.ts';

/**
 * An error after some content, and nothing after it. Forms: the kinds of error; `in-chunk` sends it with an empty
 * list of choices, where the dialect has choices.
 */
export const errorMid: Fault = editAnswer('S8', (frames, { dialect, form, after, given }) => {
  const place = placeAfter(frames, after);
  const dueMs = frames[place]?.dueMs ?? 0;
  const event = form === 'in-chunk' ? errorInChunk(frames, dialect) : errorEvent(dialect, errorOfForm(form));
  return [
    ...frames.slice(0, place),
    { label: 'error', dueMs, events: [event] },
    ...endOfBroken({ given, dueMs }),
  ];
});

function errorInChunk(frames: readonly OpenFrame[], dialect: DialectName): NativeEvent {
  if (dialect !== 'chat-completions') return errorEvent(dialect, 'overloaded');
  const error = { code: 502, message: 'The provider returned an error.' };
  return { name: null, data: { ...firstChunk(frames), choices: [], error } };
}
