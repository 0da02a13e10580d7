import type { Fault } from '../../fault-contract/fault.ts';
import { invalidRequest as invalidChat } from '../../providers/chat-completions/errors.ts';
import { badPayload, badRequest } from '../../providers/generate-content/errors.ts';
import { invalidRequest as invalidMessages } from '../../providers/messages/errors.ts';
import { chatRefusal, generateRefusal, messagesRefusal, refusing } from '../native/refusal.ts';

/** The error names a field that every request has. The channel is healthy either way. */
export const badRequestFault: Fault = refusing('H17', {
  'chat-completions': ({ form }) =>
    chatRefusal(
      form === 'field'
        ? invalidChat(
            "Invalid 'messages[0].content': this text is not accepted.",
            'messages[0].content',
            'invalid_value',
          )
        : invalidChat('The request cannot be served as it is.', null, null),
    ),
  messages: (context) =>
    messagesRefusal(
      invalidMessages(
        context.form === 'field'
          ? 'messages.0.content: this text is not accepted'
          : 'The request cannot be served as it is',
      ),
      context,
    ),
  'generate-content': ({ form }) =>
    generateRefusal(
      form === 'field'
        ? badPayload([{ field: 'contents[0].parts[0]', description: 'This text is not accepted.' }])
        : badRequest('Request contains an invalid argument.'),
    ),
});
