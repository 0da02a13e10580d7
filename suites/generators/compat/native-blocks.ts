import fc from 'fast-check';
import type { Reply } from 'gatecheck-simulators/client';
import { asStream, halves } from '../native/answer.ts';
import { toolArguments } from '../tool-arguments.ts';
import { upstreamText } from '../upstream-text.ts';

/**
 * A block of an answer of the messages protocol. The input of a call is JSON text, so that every digit is
 * preserved.
 */
export type NativeBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string };

/** A legal answer of a messages upstream. */
export interface NativeMessage {
  readonly blocks: readonly NativeBlock[];
  readonly stopReason: string;
  readonly stopSequence: string | null;
  readonly usage: Readonly<Record<string, unknown>>;
}

const text = upstreamText.map((said): NativeBlock => ({ type: 'text', text: said }));
const call = fc
  .record({
    id: fc.stringMatching(/^toolu_[A-Za-z0-9_-]{4,24}$/),
    name: fc.constantFrom('look_up', 'translate', 'spell'),
    input: toolArguments,
  })
  .map((use): NativeBlock => ({ type: 'tool_use', ...use }));
const thought = fc
  .record({ thinking: upstreamText, signature: fc.base64String({ minLength: 8, maxLength: 40 }) })
  .map((one): NativeBlock => ({ type: 'thinking', ...one }));
const hidden = fc
  .base64String({ minLength: 8, maxLength: 24 })
  .map((data): NativeBlock => ({ type: 'redacted_thinking', data }));

/** Thinking first, then text and calls in any order. Every call has a separate id. */
const blocks = fc
  .tuple(
    fc.array(fc.oneof(thought, thought, hidden), { maxLength: 2 }),
    fc.array(fc.oneof(text, call), { minLength: 1, maxLength: 4 }),
  )
  .map(([thoughts, said]) =>
    [...thoughts, ...said].map((block, at) =>
      block.type === 'tool_use' ? { ...block, id: `${block.id}_${at}` } : block,
    ),
  );

const usage = fc
  .record({ input: fc.nat({ max: 9_000 }), output: fc.integer({ min: 1, max: 400 }) })
  .map(({ input, output }) => ({ input_tokens: input, output_tokens: output }));

export const nativeMessages: fc.Arbitrary<NativeMessage> = fc
  .record({
    blocks,
    ending: fc.constantFrom<readonly [string, string | null]>(
      ['end_turn', null],
      ['max_tokens', null],
      ['stop_sequence', '###'],
    ),
    usage,
  })
  .map(({ blocks: said, ending: [stopReason, stopSequence], usage: counts }) => ({
    blocks: said,
    usage: counts,
    ...(said.some(({ type }) => type === 'tool_use')
      ? { stopReason: 'tool_use', stopSequence: null }
      : { stopReason, stopSequence }),
  }));

/** The upstream's own id and model name, which no caller may see. */
export interface UpstreamIdentity {
  readonly id: string;
  readonly model: string;
}

/** The whole answer. */
export function plainMessage(message: NativeMessage, identity: UpstreamIdentity): Reply {
  const content = message.blocks.map(blockText).join(',');
  const head = `${envelope(identity)},"content":[${content}]`;
  const end = `"stop_reason":${JSON.stringify(message.stopReason)},"stop_sequence":${JSON.stringify(message.stopSequence)}`;
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: `{${head},${end},"usage":${JSON.stringify(message.usage)}}`,
  };
}

/** The same as a stream of events: each block in two deltas, with pings between. */
export function streamedMessage(message: NativeMessage, identity: UpstreamIdentity): Reply {
  const { output_tokens: output, ...input } = message.usage;
  const start = `{${envelope(identity)},"content":[],"stop_reason":null,"stop_sequence":null,"usage":${JSON.stringify({ ...input, output_tokens: 1 })}}`;
  return asStream(
    event('message_start', `"message":${start}`),
    event('ping', ''),
    message.blocks.flatMap((block, index) => [
      event('content_block_start', `"index":${index},"content_block":${JSON.stringify(emptied(block))}`),
      ...deltas(block).map((delta) =>
        event('content_block_delta', `"index":${index},"delta":${JSON.stringify(delta)}`),
      ),
      event('content_block_stop', `"index":${index}`),
      event('ping', ''),
    ]),
    event(
      'message_delta',
      `"delta":${JSON.stringify({ stop_reason: message.stopReason, stop_sequence: message.stopSequence })},"usage":${JSON.stringify({ output_tokens: output })}`,
    ),
    event('message_stop', ''),
  );
}

/** One event in its wire form. */
export function event(type: string, members: string): string {
  return `event: ${type}\ndata: {"type":"${type}"${members === '' ? '' : `,${members}`}}\n\n`;
}

function envelope({ id, model }: UpstreamIdentity): string {
  return `"id":${JSON.stringify(id)},"type":"message","role":"assistant","model":${JSON.stringify(model)}`;
}

/** A block as JSON text, with its input exactly as drawn. */
export function blockText(block: NativeBlock): string {
  if (block.type !== 'tool_use') return JSON.stringify(block);
  const { input, ...rest } = block;
  return `${JSON.stringify(rest).slice(0, -1)},"input":${input}}`;
}

function emptied(block: NativeBlock): object {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'tool_use':
      return { ...block, input: {} };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'redacted_thinking':
      return block;
  }
}

function deltas(block: NativeBlock): object[] {
  switch (block.type) {
    case 'text':
      return halves(block.text).map((part) => ({ type: 'text_delta', text: part }));
    case 'tool_use':
      return ['', ...halves(block.input)].map((part) => ({ type: 'input_json_delta', partial_json: part }));
    case 'thinking':
      return [
        ...halves(block.thinking).map((part) => ({ type: 'thinking_delta', thinking: part })),
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'redacted_thinking':
      return [];
  }
}
