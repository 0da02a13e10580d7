import { chatDialect, type NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { bodyTooLarge as chatTooLarge } from '../../providers/chat-completions/errors.ts';
import { bodyTooLarge as generateTooLarge } from '../../providers/generate-content/errors.ts';
import { bodyTooLarge as messagesTooLarge } from '../../providers/messages/errors.ts';
import { chatRefusal, generateRefusal, htmlPage, messagesRefusal, ofUpstream } from '../native/refusal.ts';

/** Sent by the upstream itself (as a 400 in one of the three dialects), or by a proxy in front of it. */
export const tooLarge: Fault = {
  id: 'H14',
  kind: 'instead',
  answer: (context) =>
    context.form === 'html'
      ? htmlPage(context.dialect, 413, 'Request Entity Too Large')
      : ofUpstream(nativeRefusal(context), context),
};

function nativeRefusal(context: FaultContext): NativeAnswer {
  switch (chatDialect(context.dialect)) {
    case 'chat-completions':
      return chatRefusal(chatTooLarge());
    case 'messages':
      return messagesRefusal(messagesTooLarge(), context);
    case 'generate-content':
      return generateRefusal(generateTooLarge());
  }
}
