import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer } from '../native/edit-answer.ts';
import { endOfBroken, errorEvent } from '../native/error-events.ts';
import type { NativeEvent } from '../native/open-answer.ts';
import { placeAfter } from '../native/places.ts';

/**
 * The head announces a stream, then the prompt turns out to be too long. Forms: `first`; `worded`, where an inference server
 * states it only in its message; `field`, where it does so in a field of an event that is not `data`; `mid`, after some
 * content.
 */
export const badRequestInside: Fault = editAnswer('S10', (frames, { dialect, form, after, given }) => {
  const place = form === 'mid' ? placeAfter(frames, after) : 0;
  const dueMs = frames[place]?.dueMs ?? 0;
  const own = dialect === 'chat-completions' ? wordedErrors.get(form) : undefined;
  const events = own === undefined ? [errorEvent(dialect, 'context')] : [own, doneMark];
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

const fieldError: NativeEvent = {
  name: null,
  field: 'error',
  data: {
    code: 400,
    message: 'the request exceeds the available context size. try increasing the context size',
    type: 'invalid_request_error',
  },
};

const wordedErrors: ReadonlyMap<string | null, NativeEvent> = new Map([
  ['worded', wordedError],
  ['field', fieldError],
]);

const doneMark: NativeEvent = { name: null, data: '[DONE]' };
