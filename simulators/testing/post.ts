import { type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';

/** An answer read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The body as JSON. */
  json<T = Record<string, unknown>>(): T;
  /** The data of its server-sent events. */
  events(): string[];
}

/** A server-sent event; its name is null if the dialect has no event names. */
export interface NamedEvent {
  readonly event: string | null;
  readonly data: string;
}

/** Sends a body (JSON, unless it is text already) and reads the whole answer. */
export async function post(url: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
  return readAnswer(await openPost(url, body, headers));
}

/** Sends a body and returns when the head of the answer is there. Breaks off when the test ends. */
export function openPost(
  url: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.on('response', resolve).on('error', reject);
    sent.end(typeof body === 'string' ? body : JSON.stringify(body));
    onTestFinished(() => void sent.destroy());
  });
}

export async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    json: () => JSON.parse(text),
    events: () => namedEvents(text).map(({ data }) => data),
  };
}

/** The complete events of a stream, in either kind of line ends. */
export function namedEvents(text: string): NamedEvent[] {
  return text
    .split(/\r?\n\r?\n/)
    .slice(0, -1)
    .map(parseEvent);
}

/** The events as they arrive, one at a time. Reads no more of the body than needed. */
export async function* streamNamedEvents(response: IncomingMessage): AsyncGenerator<NamedEvent, void> {
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    for (let end = /\r?\n\r?\n/.exec(text); end !== null; end = /\r?\n\r?\n/.exec(text)) {
      yield parseEvent(text.slice(0, end.index));
      text = text.slice(end.index + end[0].length);
    }
  }
}

function parseEvent(block: string): NamedEvent {
  const [, event = null] = /^event: (.*)$/m.exec(block) ?? [];
  const [, data = ''] = /^data: (.*)$/m.exec(block) ?? [];
  return { event, data };
}
