import Anthropic from '@anthropic-ai/sdk';
import Anthropic1 from 'anthropic-sdk-1';
import type { AnswerKind } from '../../answers/native-answer.ts';
import { addText, type ClientRig, listOf, memberOf, type Shown, type Target } from './client-rig.ts';

const ask = {
  model: 'bl-4-5-20260801',
  max_tokens: 1000,
  messages: [{ role: 'user' as const, content: 'Say something.' }],
};

const askStream = { ...ask, stream: true as const };

/** `@anthropic-ai/sdk` 0.x against the previous version of the messages dialect. A stream is read event by event. */
export const messagesRig: ClientRig = {
  client: '@anthropic-ai/sdk',
  dialect: 'messages',
  isOwn: (error) => error instanceof Anthropic.APIError,
  ask: (call, target, shown) =>
    read(anthropicAt(target.origin, target.timeoutMs).messages, call, target, shown),
};

/** The first major version, against the current dialect version. */
export const currentMessagesRig: ClientRig = {
  client: 'anthropic-sdk-1',
  dialect: 'messages',
  isOwn: (error) => error instanceof Anthropic1.APIError,
  ask: (call, target, shown) =>
    read(anthropic1At(target.origin, target.timeoutMs).messages, call, target, shown),
};

const options = { maxRetries: 0, logLevel: 'off' as const, apiKey: 'sk-any', authToken: null };

/** The client with its defaults, except for the retries. */
export function anthropicAt(origin: Target['origin'], timeoutMs = 30_000): Anthropic {
  return new Anthropic({ ...options, baseURL: origin, timeout: timeoutMs });
}

export function anthropic1At(origin: Target['origin'], timeoutMs = 30_000): Anthropic1 {
  return new Anthropic1({ ...options, baseURL: origin, timeout: timeoutMs });
}

/** The part that both major versions share. */
interface Messages {
  create(asked: typeof askStream, options: Pick<Target, 'signal'>): Promise<AsyncIterable<unknown>>;
  create(asked: typeof ask, options: Pick<Target, 'signal'>): Promise<unknown>;
}

async function read(messages: Messages, call: AnswerKind, { signal }: Target, shown: Shown): Promise<void> {
  if (call === 'plain') return showAnswer(await messages.create(ask, { signal }), shown);
  return showEvents(await messages.create(askStream, { signal }), shown);
}

async function showEvents(events: AsyncIterable<unknown>, shown: Shown): Promise<void> {
  for await (const event of events) showEvent(event, shown);
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

/** A stream reports input at its start and output at its end. A count that is not repeated stays. */
function showUsage(usage: unknown, shown: Shown): void {
  if (typeof usage !== 'object' || usage === null) return;
  const [input, output] = shown.usage ?? [];
  shown.usage = [memberOf(usage, 'input_tokens') ?? input, memberOf(usage, 'output_tokens') ?? output];
}
