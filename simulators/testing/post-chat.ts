import { type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';

/** A request with the key and model that every test may use; the rest is the test's. */
export interface ChatBody {
  readonly [member: string]: unknown;
  readonly model?: string;
  readonly messages?: unknown;
}

/** An answer read to its end. */
export interface ChatAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The body as JSON. */
  json<T = Record<string, unknown>>(): T;
  /** The data of its server-sent events. */
  events(): string[];
}

/** Sends a completion request and reads the whole answer. */
export async function postChat(
  base: string,
  body: ChatBody | string,
  key = 'sk-upstream',
): Promise<ChatAnswer> {
  const response = await openChat(base, body, key);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    json: () => JSON.parse(text),
    events: () => eventsOf(text),
  };
}

/** Sends a completion request and returns when the head of the answer is there. */
export function openChat(
  base: string,
  body: ChatBody | string,
  key = 'sk-upstream',
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(`${base}/chat/completions`, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      },
    });
    sent.on('response', resolve).on('error', reject);
    sent.end(typeof body === 'string' ? body : chatBody(body));
    onTestFinished(() => void sent.destroy());
  });
}

/** The JSON of a request, with a model and one message unless the test has its own. */
export function chatBody(body: ChatBody): string {
  return JSON.stringify({
    model: 'a52-2026-08-07',
    messages: [{ role: 'user', content: 'Say something.' }],
    ...body,
  });
}

/** The events as they arrive, one at a time, from a body of which nothing is read ahead of need. */
export async function* streamEvents(response: IncomingMessage): AsyncGenerator<string, void> {
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      yield text.slice(0, end).replace(/^data: /, '');
      text = text.slice(end + 2);
    }
  }
}

/** What is left of a stream of anything. */
export async function readAll<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}

function eventsOf(text: string): string[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((event) => event.replace(/^data: /, ''));
}
