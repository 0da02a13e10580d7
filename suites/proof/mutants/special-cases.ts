import type { Mutant } from '../mutant.ts';
import { type Body, blocksIn, forwards, front, messagesIn, refuses, repairs, upstream } from './defects.ts';
import { toUpstream } from './native-edits.ts';
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
  source(
    ['chat.seed-unsigned', 'a seed loses its sign', 'CHAT-050', 'numbers-exact'],
    'requests/native-body/chat-completions.ts',
    'Number.isSafeInteger(fields.seed) ? fields.seed :',
    'Number.isSafeInteger(fields.seed) ? Math.abs(fields.seed) :',
  ),
  front(
    ['chat.native-name', 'a model answers to the name of its upstream too', 'CHAT-006', 'exact-spelling'],
    repairs((body) => {
      if (String(body.model).startsWith('d3-')) body.model = 'delta-3';
    }),
  ),
  front(
    [
      'msg.empty-text-refused',
      'an assistant turn with calls and an empty text is refused',
      'MSG-012',
      'text-beside-calls',
    ],
    refuses((body) => messagesIn(body).some((turn) => turn.role === 'assistant' && turn.content === '')),
  ),
  upstream(
    [
      'msg.image-url-reprinted',
      'the query of an image URL is parsed and printed again',
      'MSG-010',
      'images-in-order',
    ],
    forwards((body) => {
      for (const { image_url: image } of blocksIn(body) as { image_url?: { url: string } }[]) {
        if (!image?.url.includes('?')) continue;
        const [path, query] = image.url.split('?', 2);
        image.url = `${path}?${new URLSearchParams(query)}`;
      }
    }),
  ),
  upstream(
    ['chat.tools-first-16', 'only the first sixteen tools are passed on', 'CHAT-050', 'forwards-tools'],
    forwards((body) => {
      if (Array.isArray(body.tools)) body.tools = body.tools.slice(0, 16);
    }),
  ),
  upstream(
    ['chat.turns-last-40', 'only the last forty turns are passed on', 'CHAT-010', 'turn-order'],
    toUpstream('chat-completions', (body) => {
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
    ['auth.key-passed-on', "the caller's key goes to the upstream", 'AUTH-001', 'key-stays-inside'],
    'endpoints/chat/chat.ts',
    'dispatch({ gateway, caller,',
    'dispatch({ gateway: { ...gateway, upstreams: { ...gateway.upstreams, post: (sent) => gateway.upstreams.post({ ...sent, headers: Object.fromEntries(Object.entries(sent.headers).map(([name, value]) => [name, /key|auth/i.test(name) ? String(exchange.incoming.headers.authorization) : value])) }) } }, caller,',
  ),
  source(
    ['resp.long-text-cut', 'the text of a long answer is cut', 'RESP-024', 'text-unchanged'],
    'protocols/chat-completions/adapter.ts',
    "{ role: 'assistant', content: text, ...",
    "{ role: 'assistant', content: text === null ? null : text.slice(0, 65_536), ...",
  ),
  source(
    ['resp.answers-cached', 'equal requests get the answer of the first', 'RESP-024', 'text-unchanged'],
    'endpoints/chat/answer.ts',
    'await sendJson(exchange, adapter.whole(head, outcome));',
    "const kept: Map<string, typeof outcome> = (Reflect.get(globalThis, 'kept') as Map<string, typeof outcome> | undefined) ?? new Map();\n      Reflect.set(globalThis, 'kept', kept);\n      const asked = JSON.stringify(request.exact);\n      if (!kept.has(asked)) kept.set(asked, outcome);\n      await sendJson(exchange, adapter.whole(head, kept.get(asked) ?? outcome));",
  ),
  source(
    ['sse.first-usage', 'the first count that the upstream reports is passed on', 'SSE-011', 'verbatim'],
    'upstreams/chat-completions/stream.ts',
    'this.#usage = usage ?? this.#usage;',
    'this.#usage = this.#usage ?? usage;',
  ),
  source(
    ['sse.failure-done-twice', '[DONE] comes twice after an error event', 'SSE-008', 'ends-once'],
    'endpoints/serve.ts',
    'endEvents(exchange, failureEvents(body, protocol));',
    "endEvents(exchange, failureEvents(body, protocol) + 'data: [DONE]\\n\\n');",
  ),
  source(
    [
      'sse.failure-names-address',
      'an error event names the address of the upstream',
      'ERR-006',
      'channel-declared',
    ],
    'endpoints/chat/answer-stream.ts',
    'normaliseFailure(step, { channelId: result.channelId,',
    "normaliseFailure(step, { channelId: 'http://127.0.0.1:1/v1',",
  ),
  source(
    [
      'sse.cut-call-as-calls',
      'a stream that ends within a tool call counts as ended well',
      'SSE-016',
      'no-false-ending',
    ],
    'upstreams/chat-completions/stream.ts',
    "if (this.#finish === null) return broken('the stream ended without finish_reason');",
    "if (this.#finish === null) {\n      if (this.#tools.count > 0) return { kind: 'end', finish: 'tool_calls', usage: this.#usage };\n      return broken('the stream ended without finish_reason');\n    }",
  ),
];
