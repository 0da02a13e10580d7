import OpenAI from 'openai';
import { addText, type ClientRig, listOf, memberOf, type Shown, type Target } from './client-rig.ts';

const ask = { model: 'd3-2026-07-11', messages: [{ role: 'user' as const, content: 'Say something.' }] };

/** `openai` against the chat-completions dialect. */
export const chatCompletionsRig: ClientRig = {
  client: 'openai',
  dialect: 'chat-completions',
  isOwn: (error) => error instanceof OpenAI.APIError,
  ask: async (call, target, shown) => {
    const { completions } = openaiAt(target.origin, target.timeoutMs).chat;
    const options = { signal: target.signal };
    if (call === 'plain') {
      showAnswer(await completions.create(ask, options), shown);
      return;
    }
    const asked = { ...ask, stream: true as const, stream_options: { include_usage: true } };
    for await (const chunk of await completions.create(asked, options)) showChunk(chunk, shown);
  },
};

/** The client as its user makes it, but for the retries. */
export function openaiAt(origin: Target['origin'], timeoutMs = 30_000): OpenAI {
  const options = { maxRetries: 0, timeout: timeoutMs, logLevel: 'off' as const };
  return new OpenAI({ apiKey: 'sk-any', baseURL: `${origin}/v1`, ...options });
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
    // A caller who asked for one answer reads that one.
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
