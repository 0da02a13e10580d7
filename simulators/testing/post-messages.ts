import type { IncomingMessage } from 'node:http';
import { type Answer, openPost, readAnswer } from './post.ts';

/** A request with a model, a limit and one message that any test may use. The test adds the rest. */
export interface MessagesBody {
  readonly [member: string]: unknown;
  readonly messages?: unknown;
}

export const messagesHeaders = { 'x-api-key': 'sk-upstream', 'anthropic-version': '2023-06-01' };

/** Requests a message and reads the whole answer. */
export async function postMessages(
  base: string,
  body: MessagesBody | string,
  headers: Record<string, string> = messagesHeaders,
): Promise<Answer> {
  return readAnswer(await openMessages(base, body, headers));
}

/** Requests a message and returns when the head of the answer has arrived. */
export function openMessages(
  base: string,
  body: MessagesBody | string,
  headers: Record<string, string> = messagesHeaders,
): Promise<IncomingMessage> {
  return openPost(`${base}/messages`, typeof body === 'string' ? body : messagesBody(body), headers);
}

/** Requests the token count of the prompt. */
export async function postCount(base: string, body: MessagesBody): Promise<Answer> {
  const { max_tokens: _limit, ...prompt } = messagesBody(body);
  return readAnswer(await openPost(`${base}/messages/count_tokens`, prompt, messagesHeaders));
}

export function messagesBody(body: MessagesBody): Record<string, unknown> {
  return {
    model: 'bl-4-5-20260801',
    max_tokens: 1000,
    messages: [{ role: 'user', content: 'Say something.' }],
    ...body,
  };
}
