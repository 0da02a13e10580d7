import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { firstContent, placeAfter } from '../native/places.ts';

/**
 * An error, then the end mark as after success. Inference servers that fail in the middle do this. Forms: `first`;
 * `mid`, after some content; `flat`, with the members of the error at the top level.
 */
export const errorThenDone: Fault = editAnswer('S9', (frames, { form, after }) => {
  const place = form === 'mid' ? placeAfter(frames, after) : firstContent(frames);
  const opening = form === 'mid' ? frames.slice(0, place) : [];
  const dueMs = frames[place]?.dueMs ?? 0;
  const error = {
    object: 'error',
    message: 'The engine stopped while it made the answer.',
    type: 'InternalServerError',
    param: null,
    code: 500,
  };
  return [
    ...opening,
    { label: 'error', dueMs, events: [{ name: null, data: form === 'flat' ? error : { error } }] },
    { label: 'done', dueMs, events: [{ name: null, data: '[DONE]' }] },
  ];
});
