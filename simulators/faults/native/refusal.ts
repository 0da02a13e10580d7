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

/** The error that one dialect sends instead of an answer. */
type Answering = (context: FaultContext) => NativeAnswer;

/** A fault that rejects every request, in the format of each dialect that supports it. */
export function refusing(id: string, by: Partial<Record<DialectName, Answering>>): Fault {
  const answer: Answering = (context) => {
    const answering = by[context.dialect];
    if (answering === undefined) throw new RangeError(`${id} does not exist in ${context.dialect}`);
    return ofUpstream(answering(context), context);
  };
  return { id, kind: 'instead', answer };
}

/** Adds the upstream's common headers, because the answer comes from the upstream and not from a proxy in front of it. */
export function ofUpstream(answer: NativeAnswer, { headers }: FaultContext): NativeAnswer {
  return { ...answer, headers: withHeaders(headers, answer.headers) };
}

/** The entry for the requested form. */
export function ofForm<T>({ form }: FaultContext, forms: Readonly<Record<string, T>>): T {
  const found = form === null ? undefined : forms[form];
  if (found === undefined) throw new RangeError(`there is no form ${form}`);
  return found;
}

export function chatRefusal(error: ChatError): NativeAnswer {
  return oneBody('chat-completions', renderChatError(error));
}

/** An error with the same request id in the body and in a header. */
export function messagesRefusal(error: MessagesError, { headers, version }: FaultContext): NativeAnswer {
  return oneBody('messages', renderMessagesError(error, headers['request-id'] ?? 'req_none', version));
}

export function generateRefusal(error: GenerateError, inArray = false): NativeAnswer {
  return oneBody('generate-content', renderGenerateError(error, inArray));
}

/** An answer with a single body, for any kind of call. */
export function oneBody(dialect: DialectName, { status, headers, body }: WholeAnswer): NativeAnswer {
  return { dialect, call: 'plain', status, headers, frames: [{ label: 'body', bytes: body, dueMs: 0 }] };
}

/** A page from a proxy in front of the upstream, without any of the upstream's own headers. */
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
