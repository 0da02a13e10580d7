import { type Finding, must } from '../engine/violation.ts';
import { type Exchange, excerpt, mediaType, outcomeOf } from '../wire/exchange.ts';
import { shapeFault } from '../wire/shapes.ts';
import { readSse, type SseReading } from '../wire/sse.ts';
import { judgeCreated, judgeModel, judgeToolCalls, judgeUsage, type ExpectedCompletion, type ToolCall, type Usage } from './completion.ts';

interface Delta {
  role?: string | null;
  content?: string | null;
  tool_calls?: { index: number; id?: string; type?: string; function?: { name?: string; arguments?: string } }[] | null;
}

interface Chunk {
  id: string;
  object: string;
  created: number;
  model: string;
  choices: { index: number; delta: Delta; finish_reason?: string | null }[];
  usage?: Usage | null;
}

/** A streamed chat answer whose form has been judged and whose parts have been put together. */
export interface StreamedCompletion {
  readonly id: string;
  readonly content: string;
  readonly fragments: readonly string[];
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: string;
  readonly usage: Usage;
  /** What SSE allows though the literal form does not show it. */
  readonly notes: readonly string[];
  /** Advice (SHOULD) that the stream does not follow: findings that do not end the judgement. */
  readonly advice: readonly Finding[];
}

/**
 * Judges a whole streamed answer by every rule of "Streaming" and of the chunk's fields that one stream can show,
 * each under its own requirement, and puts it together.
 */
export function judgeStream(exchange: Exchange, expected: ExpectedCompletion): StreamedCompletion {
  judgeHead(exchange, expected);
  const reading = readSse(exchange.response?.body ?? Buffer.alloc(0));
  const chunks = judgeEvents(reading, exchange);
  judgeIdentity(chunks, expected.model, exchange);
  const advice = adviceOn(chunks, exchange);
  const finishReason = judgeFinish(chunks, exchange);
  const deltas = chunks.flatMap((chunk) => chunk.choices.map((choice) => choice.delta));
  judgeRole(deltas, exchange);
  const fragments = deltas.map((delta) => delta.content).filter((text): text is string => typeof text === 'string' && text !== '');
  const usage = judgeFinalUsage(chunks, { maxTokens: expected.maxTokens, produced: fragments.join('') }, exchange);
  const toolCalls = assembleCalls(deltas, exchange);
  judgeToolCalls(toolCalls, finishReason, exchange);
  const notes = reading.deviations.map((deviation) => `stream form: ${deviation}`);
  return { id: chunks[0]?.id ?? '', content: fragments.join(''), fragments, toolCalls, finishReason, usage, notes, advice };
}

function judgeHead(exchange: Exchange, expected: ExpectedCompletion): void {
  must(exchange.response !== null && exchange.response.status === 200, {
    requirement: expected.requirement,
    aspect: expected.aspect,
    expected: 'HTTP 200 with a stream',
    actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 200)}`,
    exchange,
    twin: expected.twin,
  });
  must(mediaType(exchange) === 'text/event-stream', {
    requirement: 'SSE-001',
    aspect: 'stream-content-type',
    expected: 'content type text/event-stream',
    actual: mediaType(exchange) || '(none)',
    exchange,
  });
}

/** The events of a stream that ended well: chunks of the right shape, then `[DONE]` once, then nothing. */
function judgeEvents(reading: SseReading, exchange: Exchange): Chunk[] {
  const form = (holds: boolean, requirement: string, aspect: string, wanted: string, actual: string): void =>
    must(holds, { requirement, aspect, expected: wanted, actual, exchange });
  form(reading.faults.length === 0, 'SSE-002', 'stream-grammar', 'events of `data:` lines, each ended by a blank line', reading.faults.join('; '));
  const last = reading.events.at(-1)?.data;
  const dones = reading.events.filter((event) => event.data === '[DONE]').length;
  form(last === '[DONE]' && dones === 1, 'SSE-008', 'done-last-once', 'exactly one [DONE], as the last event', `${dones} [DONE], last event ${JSON.stringify(last?.slice(0, 120))}`);
  form(exchange.response?.complete === true, 'SSE-008', 'closes-after-done', 'the answer ends after [DONE]', exchange.error ?? 'it stays open');
  return reading.events.slice(0, -1).map((event) => {
    const chunk = parse(event.data);
    form(chunk !== undefined, 'SSE-002', 'payload-json', 'a JSON chunk in every data line', event.data.slice(0, 160));
    const failed = chunk !== null && typeof chunk === 'object' && 'error' in chunk;
    form(!failed, 'SSE-008', 'no-error-event', 'a stream without an error event', event.data.slice(0, 200));
    const fault = shapeFault('chat-completion-chunk', chunk);
    form(fault === null, requirementOfPath(fault?.path ?? '', fault?.reason ?? ''), 'chunk-shape', 'the members of a chunk with their types', `${fault?.path || 'the chunk'} ${fault?.reason}: ${event.data.slice(0, 160)}`);
    return chunk as Chunk;
  });
}

function judgeIdentity(chunks: readonly Chunk[], model: string, exchange: Exchange): void {
  const distinct = (values: (string | number)[]): (string | number)[] => [...new Set(values)];
  const ids = distinct(chunks.map((chunk) => chunk.id));
  must(ids.length === 1, { requirement: 'SSE-013', aspect: 'one-id', expected: 'one id in all chunks', actual: JSON.stringify(ids), exchange });
  const [first] = chunks;
  if (first) {
    judgeModel(first.model, model, exchange);
    judgeCreated(first.created, exchange);
  }
}

function adviceOn(chunks: readonly Chunk[], exchange: Exchange): Finding[] {
  const stamps = [...new Set(chunks.map((chunk) => `${chunk.created} ${chunk.model}`))];
  const early = chunks.slice(0, -1).filter((chunk) => chunk.usage).length;
  const advice: Finding[] = [];
  if (stamps.length > 1) {
    advice.push({ requirement: 'SSE-014', aspect: 'one-created-and-model', expected: 'the same created and model in all chunks', actual: JSON.stringify(stamps), exchange });
  }
  if (early > 0) {
    advice.push({ requirement: 'SSE-010', aspect: 'usage-once', expected: 'usage on the final chunk alone', actual: `${early} earlier chunks carry usage too`, exchange });
  }
  return advice;
}

function judgeFinish(chunks: readonly Chunk[], exchange: Exchange): string {
  const choices = chunks.flatMap((chunk) => chunk.choices);
  const finished = choices.filter((choice) => choice.finish_reason !== null && choice.finish_reason !== undefined);
  const place = choices.findIndex((choice) => typeof choice.finish_reason === 'string');
  const after = choices.slice(place + 1).filter((choice) => choice.delta.content || choice.delta.tool_calls?.length);
  must(finished.length === 1 && after.length === 0, {
    requirement: 'SSE-012',
    aspect: 'finish-once-last',
    expected: 'one finish_reason, and no content after it',
    actual: `${finished.length} finish reasons, ${after.length} fragments after the first`,
    exchange,
  });
  return finished[0]?.finish_reason ?? '';
}

function judgeRole(deltas: readonly Delta[], exchange: Exchange): void {
  must(deltas[0]?.role === 'assistant', {
    requirement: 'SSE-005',
    aspect: 'role-first',
    expected: 'role assistant in the first delta',
    actual: JSON.stringify(deltas[0]),
    exchange,
  });
}

function judgeFinalUsage(chunks: readonly Chunk[], asked: { maxTokens: number | undefined; produced: string }, exchange: Exchange): Usage {
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

/** Tool calls put together from their fragments: id and name once, arguments joined (TOOL-018). */
function assembleCalls(deltas: readonly Delta[], exchange: Exchange): ToolCall[] {
  const calls = new Map<number, { ids: string[]; names: string[]; arguments: string }>();
  for (const fragment of deltas.flatMap((delta) => delta.tool_calls ?? [])) {
    const call = calls.get(fragment.index) ?? { ids: [], names: [], arguments: '' };
    if (fragment.id) call.ids.push(fragment.id);
    if (fragment.function?.name) call.names.push(fragment.function.name);
    call.arguments += fragment.function?.arguments ?? '';
    calls.set(fragment.index, call);
  }
  return [...calls.values()].map((call) => {
    const [id, name] = [call.ids[0], call.names[0]];
    must(id !== undefined && name !== undefined && call.ids.length === 1 && call.names.length === 1, {
      requirement: 'TOOL-018',
      aspect: 'fragments-reassemble',
      expected: 'id and name once for each call',
      actual: JSON.stringify(call).slice(0, 200),
      exchange,
    });
    return { id, type: 'function', function: { name, arguments: call.arguments } };
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function requirementOfPath(path: string, reason: string): string {
  if (path.startsWith('/object') || reason.includes("'object'")) return 'SSE-003';
  if (path.startsWith('/choices') || reason.includes("'choices'")) return /finish_reason$/.test(path) ? 'SSE-012' : 'SSE-004';
  if (path.startsWith('/usage')) return 'SSE-009';
  if (path.startsWith('/id') || reason.includes("'id'")) return 'SSE-013';
  return 'SSE-003';
}
