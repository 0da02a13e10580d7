import type { Fault } from '../../fault-contract/fault.ts';
import { errorOfStatus as chatError } from '../../providers/chat-completions/errors.ts';
import { errorOfStatus as generateError } from '../../providers/generate-content/errors.ts';
import { errorOfStatus as messagesError } from '../../providers/messages/errors.ts';
import { chatRefusal, generateRefusal, messagesRefusal, refusing } from '../native/refusal.ts';

export const serverError: Fault = refusing('H6', {
  'chat-completions': () => chatRefusal(chatError(500)),
  messages: (context) => messagesRefusal(messagesError(500), context),
  'generate-content': () => generateRefusal(generateError(500)),
});

export const overloaded503: Fault = refusing('H7', {
  'chat-completions': () => chatRefusal(chatError(503)),
  messages: (context) =>
    messagesRefusal({ status: 503, type: 'api_error', message: 'Service unavailable' }, context),
});

/** An unregistered status. */
export const overloaded529: Fault = refusing('H8', {
  messages: (context) => messagesRefusal(messagesError(529), context),
});

export const unavailable: Fault = refusing('H9', {
  'generate-content': ({ form }) => generateRefusal(generateError(503), form === 'in-array'),
});
