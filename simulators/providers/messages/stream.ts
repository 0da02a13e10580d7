import type { TextFrame } from '../../answers/native-answer.ts';
import type { Pace } from '../../latency/pace.ts';
import { type Message, renderEnvelope } from './reply.ts';

/** One event; its name is also its `type`. */
interface StreamEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/**
 * An answer as server-sent events. `message_start` is due at once; with a text, so are the opening of its block
 * and a ping. Then every content delta follows at its time: first the text, then for each call its opening and its
 * argument fragments. `message_delta` and `message_stop` end the stream. Each block is closed in the next write.
 */
export function streamFrames(message: Message, pace: Pace): TextFrame[] {
  const { opening, thoughts, deltas, closing } = arrangeEvents(message);
  const endMs = pace.dueMs(deltas.length);
  return [
    { label: 'role', text: renderEvents(opening), dueMs: 0 },
    ...thoughts.map((events, k) => ({ label: `thought-${k}`, text: renderEvents(events), dueMs: 0 })),
    ...deltas.map((events, k) => ({
      label: `delta-${k}`,
      text: renderEvents(events),
      dueMs: pace.dueMs(k),
    })),
    { label: 'finish', text: renderEvents(closing), dueMs: endMs },
    { label: 'done', text: renderEvents([{ type: 'message_stop' }]), dueMs: endMs },
  ];
}

interface Arrangement {
  readonly opening: readonly StreamEvent[];
  /** The block of the reasoning, and then the opening of the text. */
  readonly thoughts: readonly (readonly StreamEvent[])[];
  /** The events that leave with each content delta. */
  readonly deltas: readonly (readonly StreamEvent[])[];
  readonly closing: readonly StreamEvent[];
}

function arrangeEvents(message: Message): Arrangement {
  const hasText = message.text !== null;
  const first = message.thinking === null ? 0 : 1;
  const start = { type: 'message_start', message: openingEnvelope(message) };
  const textStart = hasText ? [openBlock(first, { type: 'text', text: '' }), ping] : [];
  const spoken = hasText
    ? message.textDeltas.map((text) => [delta(first, { type: 'text_delta', text })])
    : [];
  const called = message.calls.flatMap((call, at) => {
    const index = at + first + (hasText ? 1 : 0);
    const { id, name, fragments } = call;
    const toolStart = [
      // The block of the reasoning is closed already.
      ...(index === first ? [] : [closeBlock(index - 1)]),
      openBlock(index, { type: 'tool_use', id, name, input: {} }),
      ...(index === first ? [ping] : []),
      inputDelta(index, ''),
    ];
    return [toolStart, ...fragments.map((fragment) => [inputDelta(index, fragment)])];
  });
  const blocks = message.calls.length + first + (hasText ? 1 : 0);
  return {
    opening: message.thinking === null ? [start, ...textStart] : [start],
    thoughts:
      message.thinking === null ? [] : [...thinkingEvents(message.thinking), ...(hasText ? [textStart] : [])],
    deltas: [...spoken, ...called],
    closing: [...(blocks === first ? [] : [closeBlock(blocks - 1)]), messageDelta(message)],
  };
}

function thinkingEvents({ text, signature }: NonNullable<Message['thinking']>): StreamEvent[][] {
  const half = Math.ceil(text.length / 2);
  return [
    [openBlock(0, { type: 'thinking', thinking: '', signature: '' })],
    ...[text.slice(0, half), text.slice(half)].map((thinking) => [
      delta(0, { type: 'thinking_delta', thinking }),
    ]),
    [delta(0, { type: 'signature_delta', signature }), closeBlock(0)],
  ];
}

/** At the start the usage has the full input count, and an output count that has only begun. */
function openingEnvelope(message: Message): object {
  const { output_tokens_details: _later, ...usage } = message.usage;
  const begun = { ...usage, output_tokens: Math.min(1, usage.output_tokens) };
  return renderEnvelope(message, [], { stopReason: null, stopSequence: null, usage: begun });
}

const ping: StreamEvent = { type: 'ping' };

function openBlock(index: number, block: object): StreamEvent {
  return { type: 'content_block_start', index, content_block: block };
}

function closeBlock(index: number): StreamEvent {
  return { type: 'content_block_stop', index };
}

function delta(index: number, given: object): StreamEvent {
  return { type: 'content_block_delta', index, delta: given };
}

function inputDelta(index: number, json: string): StreamEvent {
  return delta(index, { type: 'input_json_delta', partial_json: json });
}

/** Its counts are cumulative: they cover the whole answer so far. */
function messageDelta({ stopReason, stopSequence, usage }: Message): StreamEvent {
  const { cache_creation: _split, service_tier: _tier, ...counts } = usage;
  return {
    type: 'message_delta',
    delta: { stop_reason: stopReason, stop_sequence: stopSequence },
    usage: counts,
  };
}

function renderEvents(events: readonly StreamEvent[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
