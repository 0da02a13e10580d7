import type { Reply } from '../../simulators/control/client.ts';
import type { Kit } from '../engine/kit.ts';
import { Untestable } from '../engine/violation.ts';
import { chatModel } from '../oracle/chat-catalogue.ts';

/**
 * Raw answers of an upstream of the chat-completions dialect, for what a well-behaved one would not say: odd finish
 * reasons, clocks that are wrong, missing usage, streams that break in the middle of a character.
 */
export interface NativeAnswer {
  readonly text: string;
  readonly finish?: string | null;
  /** Seconds since the epoch, by the upstream's own clock. */
  readonly created?: number;
  readonly usage?: NativeCounts | null;
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
}

export interface NativeCounts {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** A model that such an upstream serves, drawn by seed. @throws Untestable when none is enabled. */
export function chatCompletionsModel(kit: Kit): string {
  const served = kit.models.filter((id) => ['alpha', 'delta'].includes(chatModel(id)?.family ?? ''));
  if (served.length === 0) throw new Untestable('an enabled alpha-* or delta-* model');
  return kit.rng.pick(served);
}

const defaults = { created: 1_700_000_000, usage: { prompt_tokens: 12, completion_tokens: 7 } };

/** A plain completion in the upstream's own form. */
export function nativeCompletion(answer: NativeAnswer): Reply {
  const { text, finish = 'stop', created = defaults.created, toolCalls = [] } = answer;
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
  const message = { role: 'assistant', content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  const usage = usageMember(answer);
  return {
    status: 200,
    body: {
      id: 'chatcmpl-native',
      object: 'chat.completion',
      created,
      model: 'native-model',
      choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
      ...usage,
    },
  };
}

/** The events of a stream in the upstream's own form, one string each, blank line included. */
export function nativeEvents(
  fragments: readonly string[],
  answer: Omit<NativeAnswer, 'text'> = {},
): string[] {
  const { finish = 'stop', created = defaults.created } = answer;
  const chunk = (choices: object[], more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-native', object: 'chat.completion.chunk', created, model: 'native-model', choices, ...more })}\n\n`;
  const choice = (delta: object, reason: string | null = null): object[] => [
    { index: 0, delta, logprobs: null, finish_reason: reason },
  ];
  const usage = usageMember(answer);
  return [
    chunk(choice({ role: 'assistant', content: '' })),
    ...fragments.map((content) => chunk(choice({ content }))),
    chunk(choice({}, finish)),
    ...('usage' in usage ? [chunk([], usage)] : []),
    'data: [DONE]\n\n',
  ];
}

/** A reply that sends these bytes as an event stream, whatever was asked for. */
export function nativeStream(body: string): Reply {
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
}

function usageMember({ usage = defaults.usage }: Pick<NativeAnswer, 'usage'>): { usage?: object } {
  if (usage === null) return {};
  return { usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } };
}
