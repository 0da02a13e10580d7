import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { endOfBroken, errorEvent } from '../native/error-events.ts';
import type { NativeEvent } from '../native/open-answer.ts';
import { placeAfter } from '../native/places.ts';

/**
 * The head announces a stream, then the prompt turns out to be too long. Forms: `first`; `worded`, where an inference server
 * states it only in its message; `mid`, after some content.
 */
export const badRequestInside: Fault = editAnswer('S10', (frames, { dialect, form, after, given }) => {
  const place = form === 'mid' ? placeAfter(frames, after) : 0;
  const dueMs = frames[place]?.dueMs ?? 0;
  const isWorded = form === 'worded' && dialect === 'chat-completions';
  const events = isWorded ? [wordedError, doneMark] : [errorEvent(dialect, 'context')];
  return [...frames.slice(0, place), { label: 'error', dueMs, events }, ...endOfBroken({ given, dueMs })];
});

const wordedError: NativeEvent = {
  name: null,
  data: {
    error: {
      object: 'error',
      message:
        "This model's maximum context length is 8192 tokens, but the request has 9001 in the messages.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
  },
};

const doneMark: NativeEvent = { name: null, data: '[DONE]' };
