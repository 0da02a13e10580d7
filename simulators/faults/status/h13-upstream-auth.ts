import type { Fault } from '../../fault-contract/fault.ts';
import {
  type NativeError as ChatError,
  errorOfStatus as chatError,
} from '../../providers/chat-completions/errors.ts';
import {
  badKey,
  type NativeError as GenerateError,
  errorOfStatus as generateError,
} from '../../providers/generate-content/errors.ts';
import { errorOfStatus as messagesError } from '../../providers/messages/errors.ts';
import { chatRefusal, generateRefusal, messagesRefusal, ofForm, refusing } from '../native/refusal.ts';

const chatErrors: Readonly<Record<string, ChatError>> = {
  'bad-key': chatError(401),
  unpaid: {
    status: 402,
    message: 'Insufficient Balance',
    type: 'unknown_error',
    param: null,
    code: 'invalid_request_error',
  },
  forbidden: chatError(403),
};

/** In this dialect an unknown key is a 400. */
const generateErrors: Readonly<Record<string, GenerateError>> = {
  'bad-key': badKey(),
  unpaid: {
    code: 403,
    message: 'This method needs billing to be enabled on the project.',
    status: 'PERMISSION_DENIED',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'BILLING_DISABLED',
        domain: 'googleapis.com',
        metadata: { service: 'generativelanguage.googleapis.com' },
      },
    ],
  },
  forbidden: generateError(403),
};

const messagesStatuses: Readonly<Record<string, number>> = { 'bad-key': 401, unpaid: 402, forbidden: 403 };

/** The cause is the account behind the channel, never the caller's. */
export const upstreamAuth: Fault = refusing('H13', {
  'chat-completions': (context) => chatRefusal(ofForm(context, chatErrors)),
  messages: (context) => messagesRefusal(messagesError(ofForm(context, messagesStatuses)), context),
  'generate-content': (context) => generateRefusal(ofForm(context, generateErrors)),
});
