import type { IncomingMessage } from 'node:http';
import { type Answer, openPost, readAnswer } from './post.ts';

/** A request with contents that any test may use. The test adds the rest. */
export interface GenerateBody {
  readonly [member: string]: unknown;
  readonly contents?: unknown;
}

export const oneContent: readonly object[] = [{ role: 'user', parts: [{ text: 'Say something.' }] }];

/** The URL of a model's method. `base` is the base URL of a channel. */
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
