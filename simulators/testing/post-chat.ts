import type { IncomingMessage } from 'node:http';
import { type Answer, openPost, readAnswer, streamNamedEvents } from './post.ts';

/** A request with a key and a model that any test may use. The test adds the rest. */
export interface ChatBody {
  readonly [member: string]: unknown;
  readonly model?: string;
  readonly messages?: unknown;
}

/** Sends a completion request and reads the whole answer. */
export async function postChat(base: string, body: ChatBody | string, key = 'sk-upstream'): Promise<Answer> {
  return readAnswer(await openChat(base, body, key));
}

/** Sends a completion request and returns when the head of the answer is there. */
export function openChat(
  base: string,
  body: ChatBody | string,
  key = 'sk-upstream',
): Promise<IncomingMessage> {
  const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` };
  return openPost(`${base}/chat/completions`, typeof body === 'string' ? body : chatBody(body), headers);
}

/** The JSON of a request, with a model and one message unless the test has its own. */
export function chatBody(body: ChatBody): string {
  return JSON.stringify({
    model: 'a52-2026-08-07',
    messages: [{ role: 'user', content: 'Say something.' }],
    ...body,
  });
}

/** The data of the events as they arrive, one at a time. */
export async function* streamEvents(response: IncomingMessage): AsyncGenerator<string, void> {
  for await (const { data } of streamNamedEvents(response)) yield data;
}

/** The remaining items of a stream. */
export async function readAll<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}
