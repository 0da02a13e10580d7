import OpenAI from 'openai';
import OpenAI6 from 'openai-6';
import type { AnswerKind } from '../../answers/native-answer.ts';
import { addText, type ClientRig, listOf, memberOf, type Shown, type Target } from './client-rig.ts';

const ask = { model: 'd3-2026-07-11', messages: [{ role: 'user' as const, content: 'Say something.' }] };

const askStream = { ...ask, stream: true as const, stream_options: { include_usage: true } };

/** `openai` 7.x against the current version of the chat-completions dialect. */
export const chatCompletionsRig: ClientRig = {
  client: 'openai',
  dialect: 'chat-completions',
  isOwn: (error) => error instanceof OpenAI.APIError,
  ask: (call, target, shown) =>
    read(openaiAt(target.origin, target.timeoutMs).chat.completions, call, target, shown),
};

/** The previous major version, against the previous dialect version. Its requests name no version. */
export const previousChatCompletionsRig: ClientRig = {
  client: 'openai-6',
  dialect: 'chat-completions',
  plays: 'previous',
  isOwn: (error) => error instanceof OpenAI6.APIError,
  ask: (call, target, shown) =>
    read(openai6At(target.origin, target.timeoutMs).chat.completions, call, target, shown),
};

const options = { maxRetries: 0, logLevel: 'off' as const, apiKey: 'sk-any' };

/** The client with its defaults, except for the retries. */
export function openaiAt(origin: Target['origin'], timeoutMs = 30_000): OpenAI {
  return new OpenAI({ ...options, baseURL: `${origin}/v1`, timeout: timeoutMs });
}

export function openai6At(origin: Target['origin'], timeoutMs = 30_000): OpenAI6 {
  return new OpenAI6({ ...options, baseURL: `${origin}/v1`, timeout: timeoutMs });
}

/** The part that both major versions share. */
interface Completions {
  create(asked: typeof askStream, options: Pick<Target, 'signal'>): Promise<AsyncIterable<unknown>>;
  create(asked: typeof ask, options: Pick<Target, 'signal'>): Promise<unknown>;
}

async function read(
  completions: Completions,
  call: AnswerKind,
  { signal }: Target,
  shown: Shown,
): Promise<void> {
  if (call === 'plain') return showAnswer(await completions.create(ask, { signal }), shown);
  for await (const chunk of await completions.create(askStream, { signal })) showChunk(chunk, shown);
}

function showAnswer(answer: unknown, shown: Shown): void {
  if (typeof answer !== 'object' || answer === null) shown.instead = typeof answer;
  const message = memberOf(answer, 'choices', 0, 'message');
  addText(shown, memberOf(message, 'content'));
  shown.finish = memberOf(answer, 'choices', 0, 'finish_reason') ?? null;
  showUsage(answer, shown);
  for (const call of listOf(message, 'tool_calls')) {
    shown.calls.push([
      String(memberOf(call, 'function', 'name')),
      String(memberOf(call, 'function', 'arguments')),
    ]);
  }
}

function showChunk(chunk: unknown, shown: Shown): void {
  for (const choice of listOf(chunk, 'choices')) {
    // Only the first choice counts: the caller requested one answer.
    if ((memberOf(choice, 'index') ?? 0) !== 0) continue;
    addText(shown, memberOf(choice, 'delta', 'content'));
    shown.finish = memberOf(choice, 'finish_reason') ?? shown.finish;
    for (const call of listOf(choice, 'delta', 'tool_calls')) showCallDelta(call, shown);
  }
  showUsage(chunk, shown);
}

function showCallDelta(call: unknown, shown: Shown): void {
  const index = memberOf(call, 'index');
  const at = typeof index === 'number' ? index : shown.calls.length;
  const [name, args] = shown.calls[at] ?? ['', ''];
  const more = memberOf(call, 'function', 'arguments');
  shown.calls[at] = [
    name + String(memberOf(call, 'function', 'name') ?? ''),
    args + (typeof more === 'string' ? more : ''),
  ];
}

function showUsage(answer: unknown, shown: Shown): void {
  const usage = memberOf(answer, 'usage');
  if (typeof usage !== 'object' || usage === null) return;
  shown.usage = [memberOf(usage, 'prompt_tokens'), memberOf(usage, 'completion_tokens')];
}
