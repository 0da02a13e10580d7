import type { Fault } from '../../fault-contract/fault.ts';
import { errorOfStatus as chatError } from '../../providers/chat-completions/errors.ts';
import { errorOfStatus as generateError } from '../../providers/generate-content/errors.ts';
import { errorOfStatus as messagesError } from '../../providers/messages/errors.ts';
import { chatRefusal, generateRefusal, messagesRefusal, refusing } from '../native/refusal.ts';

/** 4xx errors that the caller did not cause. The form is the status. */
export const tryAgain: Fault = refusing('H19', {
  'chat-completions': ({ form }) => {
    const error = chatError(Number(form));
    return chatRefusal(form === '408' ? { ...error, type: 'timeout' } : error);
  },
  messages: (context) => {
    const error = messagesError(Number(context.form));
    return messagesRefusal(context.form === '408' ? { ...error, type: 'timeout_error' } : error, context);
  },
  'generate-content': ({ form }) => {
    const error = generateError(Number(form));
    return generateRefusal(form === '408' ? { ...error, status: 'DEADLINE_EXCEEDED' } : error);
  },
});
