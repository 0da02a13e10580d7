import type { Mutant } from '../mutant.ts';
import { type Body, forwards, messagesIn, upstream } from './defects.ts';
import { source } from './refusal-defects.ts';

/** Gateways that treat streams, one model or one role otherwise than the rest. */

const isStream = (body: Body): boolean => body.stream === true;
const isDelta = (body: Body): boolean => String(body.model).startsWith('d3-');
const fieldOf = (name: string): string => `forwards-${name.replaceAll('_', '-')}`;

const inStreams = ['temperature', 'max_tokens', 'stop', 'seed', 'tool_choice', 'response_format'].map(
  (name) =>
    upstream(
      [`chat.stream-drops-${name.replaceAll('_', '-')}`, `streams lose ${name}`, 'CHAT-050', fieldOf(name)],
      forwards((body) => {
        if (isStream(body)) delete body[name];
      }),
    ),
);

const onDelta = ['stop', 'seed', 'tool_choice', 'response_format'].map((name) =>
  upstream(
    [`chat.delta-drops-${name.replaceAll('_', '-')}`, `delta-3 loses ${name}`, 'CHAT-050', fieldOf(name)],
    forwards((body) => {
      if (isDelta(body)) delete body[name];
    }),
  ),
);

/** A change to the turns of one role on their way to the upstream. */
function turns(id: string, title: string, role: string, edit: (message: Body) => void): Mutant {
  return upstream(
    [id, title, 'CHAT-010', 'turn-content'],
    forwards((body) => {
      for (const message of messagesIn(body)) if (message.role === role) edit(message);
    }),
  );
}

const trim = (message: Body): void => {
  if (typeof message.content === 'string') message.content = message.content.trim();
};

export const specialCaseMutants: readonly Mutant[] = [
  ...inStreams,
  ...onDelta,
  upstream(
    ['chat.stop-trimmed', 'stop sequences lose the white space at their ends', 'CHAT-050', 'forwards-stop'],
    forwards((body) => {
      if (Array.isArray(body.stop)) body.stop = body.stop.map((text) => String(text).trim());
    }),
  ),
  upstream(
    ['chat.seed-unsigned', 'a seed loses its sign', 'CHAT-050', 'numbers-exact'],
    forwards((body) => {
      if (typeof body.seed === 'number') body.seed = Math.abs(body.seed);
    }),
  ),
  upstream(
    ['chat.tools-first-16', 'only the first sixteen tools are passed on', 'CHAT-050', 'forwards-tools'],
    forwards((body) => {
      if (Array.isArray(body.tools)) body.tools = body.tools.slice(0, 16);
    }),
  ),
  upstream(
    ['chat.turns-last-40', 'only the last forty turns are passed on', 'CHAT-010', 'turn-content'],
    forwards((body) => {
      body.messages = messagesIn(body).slice(-40);
    }),
  ),
  turns('chat.assistant-trimmed', 'what the model said before is trimmed', 'assistant', trim),
  turns('chat.result-trimmed', 'the results of tools are trimmed', 'tool', trim),
  turns('chat.history-reprinted', 'earlier calls are parsed and printed again', 'assistant', (message) => {
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
    for (const { function: called } of calls as { function: { arguments: string } }[])
      called.arguments = JSON.stringify(JSON.parse(called.arguments));
  }),
  source(
    [
      'sse.cut-call-as-calls',
      'a stream that ends within a tool call counts as ended well',
      'SSE-016',
      'no-false-ending',
    ],
    'upstreams/chat-completions/stream.ts',
    "if (this.#finish === null) return failure('unusable', 'the stream ended without finish_reason');",
    "if (this.#finish === null) {\n      if (this.#tools.count > 0) return { kind: 'end', finish: 'tool_calls', usage: this.#usage };\n      return failure('unusable', 'the stream ended without finish_reason');\n    }",
  ),
];
