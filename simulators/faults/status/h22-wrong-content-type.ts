import { type AnswerKind, chatDialect, type NativeAnswer } from '../../answers/native-answer.ts';
import { withHeaders } from '../../answers/whole-answer.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { errorOfStatus as chatError } from '../../providers/chat-completions/errors.ts';
import { errorOfStatus as generateError } from '../../providers/generate-content/errors.ts';
import { errorOfStatus as messagesError } from '../../providers/messages/errors.ts';
import { chatRefusal, generateRefusal, messagesRefusal, ofUpstream } from '../native/refusal.ts';
import { inOtherKind } from './other-kind.ts';

/** The content type contradicts the body, or both agree but are not the requested kind. */
export const wrongContentType: Fault = {
  id: 'H22',
  kind: 'edit',
  answer: (given, context) => {
    if (context.form === 'body') return inOtherKind(given);
    return context.form === 'error'
      ? labelled(ofUpstream(busy(context), context), labels.plain)
      : labelled(given, labels[given.call]);
  },
};

/** The wrong content type for each kind of answer. */
const labels: Readonly<Record<AnswerKind, string>> = {
  plain: 'text/event-stream',
  stream: 'application/json',
};

function labelled(answer: NativeAnswer, contentType: string): NativeAnswer {
  return { ...answer, headers: withHeaders(answer.headers, { 'content-type': contentType }) };
}

function busy(context: FaultContext): NativeAnswer {
  switch (chatDialect(context.dialect)) {
    case 'chat-completions':
      return chatRefusal(chatError(429));
    case 'messages':
      return messagesRefusal(messagesError(429), context);
    case 'generate-content':
      return generateRefusal(generateError(429));
  }
}
