import Anthropic from '@anthropic-ai/sdk';
import { addText, type ClientRig, listOf, memberOf, type Shown, type Target } from './client-rig.ts';

const ask = {
  model: 'bl-4-5-20260801',
  max_tokens: 1000,
  messages: [{ role: 'user' as const, content: 'Say something.' }],
};

/** `@anthropic-ai/sdk` against the messages dialect. A stream is read event by event. */
export const messagesRig: ClientRig = {
  client: '@anthropic-ai/sdk',
  dialect: 'messages',
  isOwn: (error) => error instanceof Anthropic.APIError,
  ask: async (call, target, shown) => {
    const { messages } = anthropicAt(target.origin, target.timeoutMs);
    const options = { signal: target.signal };
    if (call === 'plain') {
      showAnswer(await messages.create(ask, options), shown);
      return;
    }
    for await (const event of await messages.create({ ...ask, stream: true }, options)) {
      showEvent(event, shown);
    }
  },
};

/** The client as its user makes it, but for the retries. */
export function anthropicAt(origin: Target['origin'], timeoutMs = 30_000): Anthropic {
  const options = { maxRetries: 0, timeout: timeoutMs, logLevel: 'off' as const };
  return new Anthropic({ apiKey: 'sk-any', authToken: null, baseURL: origin, ...options });
}

function showAnswer(answer: unknown, shown: Shown): void {
  if (typeof answer !== 'object' || answer === null) shown.instead = typeof answer;
  for (const block of listOf(answer, 'content')) {
    addText(shown, memberOf(block, 'text'));
    if (memberOf(block, 'type') === 'tool_use') {
      shown.calls.push([String(memberOf(block, 'name')), JSON.stringify(memberOf(block, 'input'))]);
    }
  }
  shown.finish = memberOf(answer, 'stop_reason') ?? null;
  showUsage(memberOf(answer, 'usage'), shown);
}

function showEvent(event: unknown, shown: Shown): void {
  switch (memberOf(event, 'type')) {
    case 'message_start':
      showUsage(memberOf(event, 'message', 'usage'), shown);
      return;
    case 'content_block_start':
      addText(shown, memberOf(event, 'content_block', 'text'));
      if (memberOf(event, 'content_block', 'type') === 'tool_use') {
        shown.calls.push([String(memberOf(event, 'content_block', 'name')), '']);
      }
      return;
    case 'content_block_delta':
      addText(shown, memberOf(event, 'delta', 'text'));
      showFragment(memberOf(event, 'delta', 'partial_json'), shown);
      return;
    case 'message_delta':
      shown.finish = memberOf(event, 'delta', 'stop_reason') ?? shown.finish;
      showUsage(memberOf(event, 'usage'), shown);
  }
}

function showFragment(fragment: unknown, shown: Shown): void {
  const last = shown.calls.pop();
  if (last !== undefined) shown.calls.push([last[0], last[1] + (fragment ?? '')]);
}

/** The input is reported as a stream begins, the output as it ends; what is not reported again stays. */
function showUsage(usage: unknown, shown: Shown): void {
  if (typeof usage !== 'object' || usage === null) return;
  const [input, output] = shown.usage ?? [];
  shown.usage = [memberOf(usage, 'input_tokens') ?? input, memberOf(usage, 'output_tokens') ?? output];
}
