import { chatDialect, type NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import {
  type NativeError as ChatError,
  errorOfStatus as chatError,
  windowExceeded,
} from '../../providers/chat-completions/errors.ts';
import {
  type NativeError as GenerateError,
  errorOfStatus as generateError,
  inputTooLong,
} from '../../providers/generate-content/errors.ts';
import {
  type NativeError as MessagesError,
  errorOfStatus as messagesError,
  promptTooLong,
} from '../../providers/messages/errors.ts';
import {
  chatRefusal,
  generateRefusal,
  messagesRefusal,
  ofForm,
  ofUpstream,
  oneBody,
} from '../native/refusal.ts';

/** Only the body reports the error; headers that would reveal it are left out. */
export const errorIn200: Fault = {
  id: 'H21',
  kind: 'instead',
  answer: (context) => {
    const error = context.form === 'code-and-msg' ? fromElsewhere(context) : nativeError(context);
    return ofUpstream({ ...error, status: 200, headers: { 'content-type': 'application/json' } }, context);
  },
};

/** An error body in the style of job APIs. */
function fromElsewhere({ dialect }: FaultContext): NativeAnswer {
  const body = Buffer.from(JSON.stringify({ code: 531, msg: 'The generation failed.', data: null }));
  return oneBody(dialect, { status: 200, headers: {}, body });
}

const chatErrors: Readonly<Record<string, ChatError>> = {
  error: chatError(500),
  'rate-limit': chatError(429),
  'context-length': windowExceeded(128_000, 131_072, null),
};
const messagesErrors: Readonly<Record<string, MessagesError>> = {
  error: messagesError(500),
  'rate-limit': messagesError(429),
  'context-length': promptTooLong(214_000, 200_000),
};
const generateErrors: Readonly<Record<string, GenerateError>> = {
  error: generateError(500),
  'rate-limit': generateError(429),
  'context-length': inputTooLong(2_500_030, 2_000_000),
};

function nativeError(context: FaultContext): NativeAnswer {
  switch (chatDialect(context.dialect)) {
    case 'chat-completions':
      return chatRefusal(ofForm(context, chatErrors));
    case 'messages':
      return messagesRefusal(ofForm(context, messagesErrors), context);
    case 'generate-content':
      return generateRefusal(ofForm(context, generateErrors));
  }
}
