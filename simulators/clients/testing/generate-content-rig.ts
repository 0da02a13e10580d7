import { ApiError, GoogleGenAI } from '@google/genai';
import { ApiError as ApiError3, GoogleGenAI as GoogleGenAI3 } from 'google-genai-3';
import type { AnswerKind } from '../../answers/native-answer.ts';
import { addText, type ClientRig, listOf, memberOf, type Shown, type Target } from './client-rig.ts';

const ask = { model: 'g3f-2026-09', contents: 'Say something.' };

/** `@google/genai` 2.x against the previous version of the generate-content dialect. It retries only when configured to. */
export const generateContentRig: ClientRig = {
  client: '@google/genai',
  dialect: 'generate-content',
  isOwn: (error) => error instanceof ApiError,
  ask: (call, target, shown) => read(genaiAt(target.origin, target.timeoutMs).models, call, target, shown),
};

/** The third major version, against the current dialect version. */
export const currentGenerateContentRig: ClientRig = {
  client: 'google-genai-3',
  dialect: 'generate-content',
  isOwn: (error) => error instanceof ApiError3,
  ask: (call, target, shown) => read(genai3At(target.origin, target.timeoutMs).models, call, target, shown),
};

/** The client with its defaults. */
export function genaiAt(origin: Target['origin'], timeoutMs = 30_000): GoogleGenAI {
  return new GoogleGenAI({ apiKey: 'any-key', httpOptions: { baseUrl: origin, timeout: timeoutMs } });
}

export function genai3At(origin: Target['origin'], timeoutMs = 30_000): GoogleGenAI3 {
  return new GoogleGenAI3({ apiKey: 'any-key', httpOptions: { baseUrl: origin, timeout: timeoutMs } });
}

async function read(
  models: Pick<GoogleGenAI['models'] | GoogleGenAI3['models'], 'generateContent' | 'generateContentStream'>,
  call: AnswerKind,
  { signal }: Target,
  shown: Shown,
): Promise<void> {
  const asked = { ...ask, config: { abortSignal: signal } };
  if (call === 'plain') return show(await models.generateContent(asked), shown);
  for await (const chunk of await models.generateContentStream(asked)) show(chunk, shown);
}

/** An answer, or one chunk of a stream: both have the same shape. */
function show(answer: unknown, shown: Shown): void {
  for (const candidate of listOf(answer, 'candidates')) {
    // Only the first candidate counts: the caller requested one answer.
    if ((memberOf(candidate, 'index') ?? 0) !== 0) continue;
    for (const part of listOf(candidate, 'content', 'parts')) showPart(part, shown);
    shown.finish = memberOf(candidate, 'finishReason') ?? shown.finish;
  }
  shown.finish ??= memberOf(answer, 'promptFeedback', 'blockReason') ?? null;
  const usage = memberOf(answer, 'usageMetadata');
  if (typeof usage !== 'object' || usage === null) return;
  shown.usage = [memberOf(usage, 'promptTokenCount'), memberOf(usage, 'candidatesTokenCount')];
}

function showPart(part: unknown, shown: Shown): void {
  addText(shown, memberOf(part, 'text'));
  const called = memberOf(part, 'functionCall');
  if (called !== undefined) {
    shown.calls.push([String(memberOf(called, 'name')), JSON.stringify(memberOf(called, 'args'))]);
  }
}
