import type { DialectName, NativeAnswer } from '../../answers/native-answer.ts';
import { type WholeAnswer, withHeaders } from '../../answers/whole-answer.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import {
  type NativeError as ChatError,
  renderError as renderChatError,
} from '../../providers/chat-completions/errors.ts';
import {
  type NativeError as GenerateError,
  renderError as renderGenerateError,
} from '../../providers/generate-content/errors.ts';
import {
  type NativeError as MessagesError,
  renderError as renderMessagesError,
} from '../../providers/messages/errors.ts';

/** What one dialect answers in place of anything else. */
type Answering = (context: FaultContext) => NativeAnswer;

/** A fault that refuses every request, in the manner of each dialect that it exists in. */
export function refusing(id: string, by: Partial<Record<DialectName, Answering>>): Fault {
  const answer: Answering = (context) => {
    const answering = by[context.dialect];
    if (answering === undefined) throw new RangeError(`${id} does not exist in ${context.dialect}`);
    return ofUpstream(answering(context), context);
  };
  return { id, kind: 'instead', answer };
}

/** The answer with what this upstream puts into every head: it comes from nothing in between. */
export function ofUpstream(answer: NativeAnswer, { headers }: FaultContext): NativeAnswer {
  return { ...answer, headers: withHeaders(headers, answer.headers) };
}

/** What belongs to the form that was asked for. */
export function ofForm<T>({ form }: FaultContext, forms: Readonly<Record<string, T>>): T {
  const found = form === null ? undefined : forms[form];
  if (found === undefined) throw new RangeError(`there is no form ${form}`);
  return found;
}

export function chatRefusal(error: ChatError): NativeAnswer {
  return oneBody('chat-completions', renderChatError(error));
}

/** The request id stands in the body and in a header, as one and the same. */
export function messagesRefusal(error: MessagesError, { headers }: FaultContext): NativeAnswer {
  return oneBody('messages', renderMessagesError(error, headers['request-id'] ?? 'req_none'));
}

export function generateRefusal(error: GenerateError, inArray = false): NativeAnswer {
  return oneBody('generate-content', renderGenerateError(error, inArray));
}

/** An answer of one body, whatever kind was asked for. */
export function oneBody(dialect: DialectName, { status, headers, body }: WholeAnswer): NativeAnswer {
  return { dialect, call: 'plain', status, headers, frames: [{ label: 'body', bytes: body, dueMs: 0 }] };
}

/** What stands in front of an upstream says; none of the upstream's own headers are in it. */
export function htmlPage(dialect: DialectName, status: number, title: string): NativeAnswer {
  const heading = `${status} ${title}`;
  const body = [
    '<html>',
    `<head><title>${heading}</title></head>`,
    '<body>',
    `<center><h1>${heading}</h1></center>`,
    '<hr><center>nginx</center>',
    '</body>',
    '</html>',
    '',
  ].join('\r\n');
  const headers = { server: 'nginx', 'content-type': 'text/html' };
  return oneBody(dialect, { status, headers, body: Buffer.from(body) });
}
