import { flag, must } from '../../rules/violation.ts';
import { parseJson } from '../../values/json.ts';
import { type Exchange, mediaType } from '../../wire/exchange.ts';
import { shapeFault } from '../../wire/shapes.ts';
import { readSse, type SseReading } from '../../wire/sse.ts';
import { judgeChannelName } from '../channel-name.ts';
import { isErrorEvent } from '../chunk.ts';
import { type ErrorBody, judgeErrorMembers } from '../refusal.ts';
import { judgeIsServed } from '../served.ts';
import { deviationNotes } from '../stream.ts';
import { codesInside } from '../upstream-failures.ts';
import {
  type ExpectedGenerate,
  formRule,
  type GenerateAnswer,
  type GenerateBody,
  type GeneratePart,
  judgeGenerateShape,
  judgePublicModel,
  judgeUsageMetadata,
  textOfParts,
} from './generate-answer.ts';

/** A streamed answer of compat path B, assembled. */
export interface GenerateStream extends GenerateAnswer {
  /** The texts as they arrived, without empty ones. */
  readonly fragments: readonly string[];
}

/** A stream that failed after its start, with a failure that its reader can see. */
export interface BrokenGenerate {
  /** The text that arrived before the failure. */
  readonly text: string;
  /** The error that the stream reports; null when only the broken connection shows the failure. */
  readonly error: ErrorBody | null;
  readonly notes: readonly string[];
}

/** The specification's rule on failures, in its normalised members, also within a stream (readings B-35, B-90). */
const errorRule = 'COMPB-011';

/**
 * Judges a complete stream of the generate-content protocol. Each event is a JSON answer of its own. The last
 * event with content has the only finishReason. Usage comes at the end, and there is no end marker.
 */
export function judgeGenerateStream(exchange: Exchange, expected: ExpectedGenerate): GenerateStream {
  judgeHead(exchange, expected);
  const reading = readSse(exchange.response?.body ?? Buffer.alloc(0));
  const failure = reading.events.find(({ data }) => isErrorEvent(parseJson(data)));
  must(failure === undefined, {
    requirement: expected.requirement,
    aspect: expected.aspect,
    expected: 'a stream without a failure',
    actual: failure?.data.slice(0, 200) ?? '',
    exchange,
  });
  const chunks = reading.events.map(({ data }) => judgeEvent(data, exchange));
  judgeGrammar(reading, exchange);
  flag(exchange.response?.complete === true, {
    requirement: formRule,
    aspect: 'stream-ends',
    expected: 'an answer that ends',
    actual: exchange.error ?? 'it stays open',
    exchange,
  });
  for (const name of new Set(chunks.map(({ modelVersion }) => modelVersion)))
    judgePublicModel(name, expected.model, exchange);
  const responseId = judgeOneId(chunks, exchange);
  const finishReason = judgeFinish(chunks, exchange);
  const parts = chunks.flatMap(partsOf);
  const text = textOfParts(parts);
  const usage = judgeUsageMetadata(chunks.at(-1)?.usageMetadata, { produced: text, expected }, exchange);
  const fragments = parts.flatMap((part) => textOfParts([part]) || []);
  return {
    parts,
    text,
    fragments,
    finishReason,
    usage,
    responseId,
    notes: deviationNotes(reading.deviations),
  };
}

/**
 * Judges a stream whose upstream failed after the start (reading B-35). It must not look like a good answer. The
 * failure must show as an event with the normalised error, or at least as a broken connection.
 */
export function judgeBrokenGenerate(
  exchange: Exchange,
  expected: Pick<ExpectedGenerate, 'model'>,
  channels: readonly string[] = [],
): BrokenGenerate {
  judgeHead(exchange, { requirement: errorRule, aspect: 'stream-began' });
  const reading = readSse(exchange.response?.body ?? Buffer.alloc(0));
  const complete = exchange.response?.complete === true;
  const payloads = reading.events.map(({ data }) => ({ data, value: parseJson(data) }));
  const place = payloads.findIndex(({ value }) => isErrorEvent(value));
  if (complete) judgeGrammar(reading, exchange);
  const before = place < 0 ? payloads : payloads.slice(0, place);
  const chunks = before.map(({ data }) => judgeEvent(data, exchange));
  for (const name of new Set(chunks.map(({ modelVersion }) => modelVersion)))
    judgePublicModel(name, expected.model, exchange);
  const ending = chunks.map(finishOf).find((reason) => reason !== null);
  const rule = (holds: boolean, aspect: string, wanted: string, actual: string): void =>
    flag(holds, { requirement: errorRule, aspect, expected: wanted, actual, exchange });
  rule(ending === undefined, 'no-false-ending', 'no finishReason in a failed answer', `${ending}`);
  const end = JSON.stringify(payloads.at(-1)?.data.slice(0, 120));
  rule(
    place >= 0 || !complete,
    'failure-visible',
    'an error event or a broken connection',
    `a normal end, with ${end}`,
  );
  const after = payloads.slice(place + 1);
  rule(
    place < 0 || after.length === 0,
    'nothing-after-error',
    'nothing after the error event',
    after[0]?.data.slice(0, 160) ?? '',
  );
  const error = place < 0 ? null : judgeErrorEvent(payloads[place]?.value, exchange);
  if (error !== null) judgeChannelName(error, channels, exchange);
  const notes = deviationNotes(reading.deviations);
  if (error === null) notes.push('a failed stream ends without an error event');
  return { text: textOfParts(chunks.flatMap(partsOf)), error, notes };
}

/** Whether an answer is an event stream that reports a failure or was truncated. */
export function isBrokenGenerate(exchange: Exchange): boolean {
  const { response } = exchange;
  if (response === null || mediaType(exchange) !== 'text/event-stream') return false;
  return (
    !response.complete || readSse(response.body).events.some(({ data }) => isErrorEvent(parseJson(data)))
  );
}

function judgeHead(exchange: Exchange, expected: Omit<ExpectedGenerate, 'model'>): void {
  judgeIsServed(exchange, {
    own: expected,
    what: 'a stream',
    status: { requirement: formRule, aspect: 'success-status' },
  });
  flag(mediaType(exchange) === 'text/event-stream', {
    requirement: formRule,
    aspect: 'stream-content-type',
    expected: 'content type text/event-stream',
    actual: mediaType(exchange) || '(none)',
    exchange,
  });
}

function judgeGrammar(reading: SseReading, exchange: Exchange): void {
  flag(reading.faults.length === 0, {
    requirement: formRule,
    aspect: 'stream-grammar',
    expected: 'events of `data:` lines, each ended by a blank line',
    actual: reading.faults.join('; '),
    exchange,
  });
}

/** Clients of this protocol parse every event, so the end marker of another protocol is a fault. */
function judgeEvent(data: string, exchange: Exchange): GenerateBody {
  return judgeGenerateShape(parseJson(data), data.slice(0, 160), exchange);
}

function judgeOneId(chunks: readonly GenerateBody[], exchange: Exchange): string | null {
  const ids = [...new Set(chunks.flatMap(({ responseId }) => responseId ?? []))];
  flag(ids.length <= 1, {
    requirement: formRule,
    aspect: 'one-id',
    expected: 'one responseId in all events',
    actual: JSON.stringify(ids.slice(0, 5)),
    exchange,
  });
  return ids[0] ?? null;
}

/** Judges that there is a finishReason, and no content after it. */
function judgeFinish(chunks: readonly GenerateBody[], exchange: Exchange): string {
  const place = chunks.findIndex((chunk) => finishOf(chunk) !== null);
  const last = chunks.at(-1);
  must(place >= 0, {
    requirement: formRule,
    aspect: 'finish-reason',
    expected: 'a finishReason at the end of a stream',
    actual: last === undefined ? 'no event' : JSON.stringify(last).slice(0, 200),
    exchange,
  });
  const after = chunks.slice(place + 1).flatMap(partsOf);
  flag(
    after.every((part) => part.text === '' && part.functionCall === undefined),
    {
      requirement: formRule,
      aspect: 'finish-last',
      expected: 'no content after the finishReason',
      actual: JSON.stringify(after[0])?.slice(0, 200) ?? '',
      exchange,
    },
  );
  const [ended] = chunks.slice(place);
  return (ended === undefined ? null : finishOf(ended)) ?? '';
}

function judgeErrorEvent(value: unknown, exchange: Exchange): ErrorBody {
  const fault = shapeFault('error', value);
  must(fault === null, {
    requirement: errorRule,
    aspect: 'error-event-shape',
    expected: 'an event with the normalised members in its error object',
    actual: `${fault?.path || 'the event'} ${fault?.reason}: ${JSON.stringify(value).slice(0, 200)}`,
    exchange,
  });
  const error = judgeErrorMembers((value as { error: Partial<ErrorBody> }).error, null, exchange);
  flag(error.type === 'api_error' || codesInside.includes(error.code), {
    requirement: errorRule,
    aspect: 'error-event-type',
    expected: `type api_error: the caller did nothing wrong; or ${codesInside.join(', ')}`,
    actual: `${error.type} ${error.code}`,
    exchange,
  });
  return error;
}

function firstOf(chunk: GenerateBody): NonNullable<GenerateBody['candidates']>[number] | undefined {
  return chunk.candidates?.find(({ index = 0 }) => index === 0);
}

function partsOf(chunk: GenerateBody): readonly GeneratePart[] {
  return firstOf(chunk)?.content?.parts ?? [];
}

function finishOf(chunk: GenerateBody): string | null {
  return firstOf(chunk)?.finishReason ?? null;
}
