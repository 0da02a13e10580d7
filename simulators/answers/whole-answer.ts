import type { AnswerKind, DialectName, NativeAnswer } from './native-answer.ts';

/** A non-streamed answer as a dialect renders it. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The answer in native form, with the upstream's common headers and its due time. */
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

/** Headers with the same meaning. A scripted one replaces both, so that the two cannot contradict each other. */
const retryHeaders = ['retry-after', 'retry-after-ms'];

/** The generated headers with the scripted ones added. A scripted header replaces one of the same name or meaning. */
export function withHeaders(
  headers: Readonly<Record<string, string>>,
  scripted?: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (scripted === undefined) return headers;
  const named = Object.keys(scripted).map((name) => name.toLowerCase());
  const replaced = new Set(
    retryHeaders.some((name) => named.includes(name)) ? [...named, ...retryHeaders] : named,
  );
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...scripted };
}

const waits = /(\bin |"retryDelay":")[\d.]+(?=s\b)/g;
const resetHeader = 'x-ratelimit-reset-requests';

/** A generated refusal that names the scripted wait wherever it names one: two waits in one answer would be a fault. */
export function withWait(answer: WholeAnswer, scripted: Readonly<Record<string, string>> = {}): WholeAnswer {
  const header = Object.entries(scripted).find(([name]) => name.toLowerCase() === 'retry-after');
  const seconds = header?.[1] ?? '';
  if (!/^\d+$/.test(seconds)) return answer;
  const { headers } = answer;
  return {
    ...answer,
    headers: headers[resetHeader] === undefined ? headers : { ...headers, [resetHeader]: `${seconds}s` },
    body: Buffer.from(answer.body.toString('utf8').replaceAll(waits, `$1${seconds}`)),
  };
}

/** The answer of a raw reply: a string body is sent as it is, anything else as JSON. */
export function rawAnswer(status: number, body: unknown): WholeAnswer {
  const isText = typeof body === 'string';
  return {
    status,
    headers: { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json' },
    body: Buffer.from(isText ? body : body === undefined ? '' : JSON.stringify(body)),
  };
}

/** An error body of a dialect. Replaces members of its `error` that exist there. */
export function withErrorMembers(
  { body, ...answer }: WholeAnswer,
  members: { readonly message?: string; readonly type?: string; readonly code?: string },
): WholeAnswer {
  const document = JSON.parse(body.toString('utf8')) as { error: Readonly<Record<string, unknown>> };
  const known = Object.entries(members).filter(([name]) => name in document.error && name !== 'code');
  // In one dialect `code` is a number, and `status` holds the name.
  const { code } = members;
  const word =
    code === undefined ? {} : typeof document.error.code === 'number' ? { status: code } : { code };
  const error = { ...document.error, ...Object.fromEntries(known), ...word };
  return { ...answer, body: Buffer.from(`${JSON.stringify({ ...document, error })}\n`) };
}

/** A raw stream of server-sent events, each a frame at its time. */
export function eventsAnswer(
  dialect: DialectName,
  { headers }: { readonly headers?: Readonly<Record<string, string>> },
  events: readonly { readonly event?: string; readonly data: unknown; readonly at_ms?: number }[],
  common: Readonly<Record<string, string>>,
): NativeAnswer {
  const frames = events.map(({ event, data, at_ms: dueMs = 0 }, k) => {
    const lines = (typeof data === 'string' ? data : JSON.stringify(data))
      .split('\n')
      .map((line) => `data: ${line}\n`);
    const bytes = Buffer.from(`${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`);
    return { label: `delta-${k}`, bytes, dueMs };
  });
  const sent = withHeaders({ ...common, 'content-type': 'text/event-stream; charset=utf-8' }, headers);
  return { dialect, call: 'stream', status: 200, headers: sent, frames };
}
