import { type Finding, flag, must } from '../rules/violation.ts';
import { type Exchange, mediaType } from '../wire/exchange.ts';
import { type Deviation, readSse, type SseReading } from '../wire/sse.ts';
import { assembleCalls, type Chunk, type ChunkChoice, type Delta, judgeChunkShape } from './chunk.ts';
import {
  type CallContext,
  type ExpectedCompletion,
  judgeCreated,
  judgeIndexes,
  judgeModel,
  judgeToolCalls,
  judgeUsage,
  type ToolCall,
  type Usage,
  type UsageContext,
  unusualChoices,
} from './completion.ts';
import { judgeIsServed } from './served.ts';

/** A streamed chat answer whose form has been judged, with its parts assembled. */
export interface StreamedCompletion {
  readonly id: string;
  readonly content: string;
  readonly fragments: readonly string[];
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: string;
  readonly usage: Usage;
  /** Unusual but allowed details: SSE that differs from the literal form, more than one choice. */
  readonly notes: readonly string[];
  /** Advice (SHOULD) that the stream does not follow. It does not end the judgement. */
  readonly advice: readonly Finding[];
}

/**
 * Judges a whole streamed answer by every rule of "Streaming" and of the chunk's fields that one stream can
 * show.
 * Each rule is judged under its own requirement. Returns the assembled answer.
 */
export function judgeStream(exchange: Exchange, expected: ExpectedCompletion): StreamedCompletion {
  judgeStreamHead(exchange, expected);
  const reading = readSse(exchange.response?.body ?? Buffer.alloc(0));
  const chunks = judgeEvents(reading, exchange);
  judgeIdentity(chunks, expected, exchange);
  const choices = chunks.flatMap((chunk) => chunk.choices);
  const indexes = [...new Set(choices.map((choice) => choice.index))];
  judgeIndexes(indexes, exchange);
  const parts = indexes.map((index) =>
    judgeChoice(
      choices.filter((choice) => choice.index === index),
      exchange,
      expected,
    ),
  );
  const first = parts[indexes.indexOf(0)] ?? { fragments: [], toolCalls: [], finishReason: '' };
  const content = first.fragments.join('');
  const { maxTokens, uncounted } = expected;
  const usage = judgeFinalUsage(chunks, { maxTokens, uncounted, produced: content }, exchange);
  return {
    id: chunks[0]?.id ?? '',
    content,
    ...first,
    usage,
    notes: [...deviationNotes(reading.deviations), ...unusualChoices(indexes.length)],
    advice: adviceOn(chunks, exchange),
  };
}

/** Judges that the answer is a stream: status 200 and its media type. */
export function judgeStreamHead(
  exchange: Exchange,
  expected: Pick<ExpectedCompletion, 'requirement' | 'aspect' | 'twin'>,
): void {
  judgeIsServed(exchange, {
    own: expected,
    what: 'a stream',
    status: { requirement: 'SSE-001', aspect: 'accepts-stream' },
  });
  flag(mediaType(exchange) === 'text/event-stream', {
    requirement: 'SSE-001',
    aspect: 'stream-content-type',
    expected: 'content type text/event-stream',
    actual: mediaType(exchange) || '(none)',
    exchange,
  });
}

export function deviationNotes(deviations: readonly Deviation[]): string[] {
  return deviations.map((deviation) => `stream form: ${deviation}`);
}

/** The chunks of a complete stream: events of the right form and shape, then `[DONE]` once, then nothing. */
function judgeEvents(reading: SseReading, exchange: Exchange): Chunk[] {
  const payloads = reading.events.map((event) => event.data).filter((data) => data !== '[DONE]');
  const chunks = payloads.map((data) => judgeChunkShape(data, exchange));
  flag(reading.faults.length === 0, {
    requirement: 'SSE-002',
    aspect: 'stream-grammar',
    expected: 'events of `data:` lines, each ended by a blank line',
    actual: reading.faults.join('; '),
    exchange,
  });
  judgeEnding(reading, exchange);
  const empty = chunks.slice(0, -1).find((chunk) => chunk.choices.length === 0);
  flag(empty === undefined, {
    requirement: 'SSE-004',
    aspect: 'choices-in-chunk',
    expected: 'a choice in every chunk but a last one of usage',
    actual: JSON.stringify(empty),
    exchange,
  });
  return chunks;
}

/** Comments may follow, because they are allowed anywhere (reading B-34). */
function judgeEnding(reading: SseReading, exchange: Exchange): void {
  const last = reading.events.at(-1)?.data;
  const dones = reading.events.filter((event) => event.data === '[DONE]').length;
  flag(dones === 1 && last === '[DONE]', {
    requirement: 'SSE-008',
    aspect: 'done-last-once',
    expected: 'exactly one [DONE], as the last event',
    actual: `${dones} [DONE], last event ${JSON.stringify(last?.slice(0, 120))}${exchange.error ? `, then ${exchange.error}` : ''}`,
    exchange,
  });
  flag(exchange.response?.complete === true, {
    requirement: 'SSE-008',
    aspect: 'ends-after-done',
    expected: 'an answer that ends after [DONE]',
    actual: exchange.error ?? 'it stays open',
    exchange,
  });
}

function judgeIdentity(chunks: readonly Chunk[], expected: ExpectedCompletion, exchange: Exchange): void {
  const ids = [...new Set(chunks.map((chunk) => chunk.id))];
  flag(ids.length <= 1, {
    requirement: 'SSE-013',
    aspect: 'one-id',
    expected: 'one id in all chunks',
    actual: JSON.stringify(ids.slice(0, 5)),
    exchange,
  });
  for (const model of new Set(chunks.map((chunk) => chunk.model)))
    judgeModel(model, expected.model, exchange);
  for (const created of new Set(chunks.map((chunk) => chunk.created)))
    judgeCreated(created, exchange, expected.clockAheadMs);
}

/**
 * Judges one choice of a stream: the role first, fragments of text and calls, then one finish_reason and
 * nothing more.
 */
function judgeChoice(
  choices: readonly ChunkChoice[],
  exchange: Exchange,
  how: CallContext,
): { fragments: string[]; toolCalls: ToolCall[]; finishReason: string } {
  const deltas = choices.map((choice) => choice.delta);
  flag(deltas[0]?.role === 'assistant', {
    requirement: 'SSE-005',
    aspect: 'role-first',
    expected: 'role assistant in the first delta',
    actual: JSON.stringify(deltas[0]),
    exchange,
  });
  const finishReason = judgeFinish(choices, exchange);
  const toolCalls = assembleCalls(deltas, exchange);
  judgeToolCalls(toolCalls, finishReason, exchange, how);
  return { fragments: textFragments(deltas), toolCalls, finishReason };
}

function judgeFinish(choices: readonly ChunkChoice[], exchange: Exchange): string {
  const finished = choices.filter((choice) => typeof choice.finish_reason === 'string');
  must(finished.length === 1, {
    requirement: 'SSE-012',
    aspect: 'finish-once',
    expected: 'exactly one finish_reason',
    actual: JSON.stringify(finished.map((choice) => choice.finish_reason)),
    exchange,
  });
  const place = choices.findIndex((choice) => typeof choice.finish_reason === 'string');
  const after = choices
    .slice(place + 1)
    .filter((choice) => choice.delta.content || choice.delta.tool_calls?.length);
  flag(after.length === 0, {
    requirement: 'SSE-012',
    aspect: 'finish-last',
    expected: 'no content after the finish_reason',
    actual: `${after.length} fragments after it, the first ${JSON.stringify(after[0])}`,
    exchange,
  });
  return finished[0]?.finish_reason ?? '';
}

export function textFragments(deltas: readonly Delta[]): string[] {
  return deltas
    .map((delta) => delta.content)
    .filter((text): text is string => typeof text === 'string' && text !== '');
}

function judgeFinalUsage(chunks: readonly Chunk[], asked: UsageContext, exchange: Exchange): Usage {
  const usage = chunks.at(-1)?.usage;
  must(usage !== null && usage !== undefined, {
    requirement: 'SSE-009',
    aspect: 'usage-on-final-chunk',
    expected: 'usage on the last chunk before [DONE]',
    actual: JSON.stringify(chunks.at(-1))?.slice(0, 200) ?? 'no chunk',
    exchange,
  });
  judgeUsage(usage, asked, exchange);
  return usage;
}

function adviceOn(chunks: readonly Chunk[], exchange: Exchange): Finding[] {
  const stamps = [...new Set(chunks.map((chunk) => `${chunk.created} ${chunk.model}`))];
  const early = chunks.slice(0, -1).filter((chunk) => chunk.usage).length;
  const advice: Finding[] = [];
  if (stamps.length > 1) {
    advice.push({
      requirement: 'SSE-014',
      aspect: 'one-created-and-model',
      expected: 'the same created and model in all chunks',
      actual: JSON.stringify(stamps.slice(0, 5)),
      exchange,
    });
  }
  if (early > 0) {
    advice.push({
      requirement: 'SSE-010',
      aspect: 'usage-once',
      expected: 'usage only on the final chunk',
      actual: `${early} earlier chunks also have usage`,
      exchange,
    });
  }
  return advice;
}
