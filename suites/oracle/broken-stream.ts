import { flag, must } from '../rules/violation.ts';
import { parseJson } from '../values/json.ts';
import type { Exchange } from '../wire/exchange.ts';
import { shapeFault } from '../wire/shapes.ts';
import { readSse } from '../wire/sse.ts';
import { judgeChannelName } from './channel-name.ts';
import { type Chunk, isErrorEvent, judgeChunkShape } from './chunk.ts';
import { readJson } from './native/json.ts';
import { type ErrorBody, judgeErrorMembers } from './refusal.ts';
import { deviationNotes, judgeStreamHead, textFragments } from './stream.ts';
import { codesInside } from './upstream-failures.ts';

/** A stream that failed after its start, with a failure that its reader can see. */
export interface BrokenStream {
  /** The text that arrived before the failure. */
  readonly content: string;
  /** The error that the stream reports; null when only the broken connection shows the failure. */
  readonly error: ErrorBody | null;
  readonly notes: readonly string[];
}

const rule = 'SSE-016';

/**
 * Judges a stream whose upstream failed after the start (reading B-35). It must not look like a good answer.
 * The failure must show as an error event, or at least as a broken connection.
 * The event must have the common error shape, and its type must blame the service, not the caller.
 * After the event the stream may end in any way, but only once.
 * `channels`: the public ids that the event may name; none when the profile declares none.
 */
export function judgeBrokenStream(exchange: Exchange, channels: readonly string[] = []): BrokenStream {
  judgeStreamHead(exchange, { requirement: rule, aspect: 'stream-began' });
  const reading = readSse(exchange.response?.body ?? Buffer.alloc(0));
  const complete = exchange.response?.complete === true;
  const payloads = reading.events
    .filter((event) => event.data !== '[DONE]')
    .map((event) => ({ data: event.data, value: parseJson(event.data) }));
  const place = payloads.findIndex(({ value }) => isErrorEvent(value));
  flag(!complete || reading.faults.length === 0, {
    requirement: 'SSE-002',
    aspect: 'stream-grammar',
    expected: 'events of `data:` lines, each ended by a blank line',
    actual: reading.faults.join('; '),
    exchange,
  });
  const judged = (part: typeof payloads): Chunk[] =>
    part.map(({ data }) => judgeChunkShape(withoutErrorFinish(data), exchange));
  const chunks = judged(place < 0 ? payloads : payloads.slice(0, place));
  const later = place < 0 ? [] : judged(payloads.slice(place + 1));
  judgeEnding([...chunks, ...later], exchange);
  must(place >= 0 || !complete, {
    requirement: rule,
    aspect: 'visible',
    expected: 'an error event or a broken connection',
    actual: `the stream ends like a successful one, with ${JSON.stringify(reading.events.at(-1)?.data.slice(0, 120))}`,
    exchange,
  });
  flag(contentOf(later) === '', {
    requirement: rule,
    aspect: 'no-text-after-error',
    expected: 'no more text after the error event',
    actual: JSON.stringify(contentOf(later).slice(0, 160)),
    exchange,
  });
  const done = reading.events.findIndex((event) => event.data === '[DONE]');
  flag(done < 0 || done === reading.events.length - 1, {
    requirement: 'SSE-008',
    aspect: 'ends-once',
    expected: 'nothing after [DONE]',
    actual: `${reading.events.length - 1 - done} more events after the first [DONE]`,
    exchange,
  });
  const error = place < 0 ? null : judgeErrorEvent(payloads[place]?.value, exchange);
  if (error !== null) judgeChannelName(error, channels, exchange);
  const notes = deviationNotes(reading.deviations);
  if (error === null) notes.push('a failed stream ends without an error event');
  return { content: contentOf(chunks), error, notes };
}

function judgeEnding(chunks: readonly Chunk[], exchange: Exchange): void {
  const reasons = chunks.flatMap((chunk) => chunk.choices.map((choice) => choice.finish_reason ?? null));
  const ending = reasons.find((reason) => reason !== null);
  flag(ending === undefined, {
    requirement: rule,
    aspect: 'no-false-ending',
    expected: 'no finish_reason in a failed answer',
    actual: `finish_reason ${ending}`,
    exchange,
  });
}

function judgeErrorEvent(value: unknown, exchange: Exchange): ErrorBody {
  const fault = shapeFault('error', value);
  must(fault === null, {
    requirement: rule,
    aspect: 'error-event-shape',
    expected: 'an error event in the common error shape',
    actual: `${fault?.path || 'the event'} ${fault?.reason}: ${JSON.stringify(value).slice(0, 200)}`,
    exchange,
  });
  const error = judgeErrorMembers((value as { error: Partial<ErrorBody> }).error, null, exchange);
  flag(error.type === 'api_error' || codesInside.includes(error.code), {
    requirement: rule,
    aspect: 'error-event-type',
    expected: `type api_error: the caller did nothing wrong; or ${codesInside.join(', ')}`,
    actual: `${error.type} ${error.code}`,
    exchange,
  });
  return error;
}

/**
 * One gateway reports the failure by a finish_reason `error`. That is visible and harmless, so it counts as no
 * finish_reason.
 */
function withoutErrorFinish(data: string): string {
  return data.replace(/"finish_reason":\s*"error"/, '"finish_reason":null');
}

function contentOf(chunks: readonly Chunk[]): string {
  const choices = chunks.flatMap((chunk) => chunk.choices).filter((choice) => choice.index === 0);
  return textFragments(choices.map((choice) => choice.delta)).join('');
}

/**
 * The exact value of a call's arguments, with all digits of its numbers. White space is not specified ("Tool definition": a
 * JSON-encoded string), so it does not count. Invalid JSON is returned as text.
 */
export function calledWith(argumentsText: string): unknown {
  try {
    return readJson(argumentsText);
  } catch {
    return argumentsText;
  }
}
