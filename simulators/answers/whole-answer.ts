import type { AnswerKind, DialectName, NativeAnswer } from './native-answer.ts';

/** An answer that is not a stream, as a dialect says it. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The same, with headers that every answer of the upstream has, and due at a time. */
export function asNative(
  { status, headers, body }: WholeAnswer,
  dialect: DialectName,
  common: Readonly<Record<string, string>>,
  dueMs = 0,
): NativeAnswer {
  const call: AnswerKind = 'plain';
  const frames = [{ label: 'body', bytes: body, dueMs }];
  return { dialect, call, status, headers: { ...common, ...headers }, frames };
}

/** The given headers, with those of the reply added or put in place of the same name. */
export function withHeaders(
  headers: Readonly<Record<string, string>>,
  scripted: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const replaced = new Set(Object.keys(scripted).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...scripted };
}

/** The body of a raw reply: a string as it is, anything else as JSON. */
export function rawAnswer(status: number, body: unknown): WholeAnswer {
  const isText = typeof body === 'string';
  return {
    status,
    headers: { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json' },
    body: Buffer.from(isText ? body : body === undefined ? '' : JSON.stringify(body)),
  };
}
