import type { IncomingMessage } from 'node:http';
import { type Answer, openPost, readAnswer } from './post.ts';

/** A request with contents that every test may use; the rest is the test's. */
export interface GenerateBody {
  readonly [member: string]: unknown;
  readonly contents?: unknown;
}

export const oneContent: readonly object[] = [{ role: 'user', parts: [{ text: 'Say something.' }] }];

/** Where a model's methods are: `base` is that of a channel, as the tests have it. */
export function modelUrl(base: string, act: string, model = 'g3f-2026-09'): string {
  return `${base.replace(/\/v1$/, '/v1beta')}/models/${model}:${act}`;
}

/** Calls a method of the model and reads the whole answer. */
export async function postGenerate(
  base: string,
  body: GenerateBody | string,
  act = 'generateContent',
): Promise<Answer> {
  return readAnswer(await openGenerate(base, body, act));
}

/** Calls a method of the model and returns when the head of the answer is there. */
export function openGenerate(
  base: string,
  body: GenerateBody | string,
  act = 'generateContent',
): Promise<IncomingMessage> {
  const whole = typeof body === 'string' ? body : { contents: oneContent, ...body };
  return openPost(modelUrl(base, act), whole, { 'x-goog-api-key': 'sk-upstream' });
}
