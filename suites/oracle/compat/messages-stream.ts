import { must } from '../../rules/violation.ts';
import { type Exchange, mediaType, outcomeOf } from '../../wire/exchange.ts';
import { shapeFault } from '../../wire/shapes.ts';
import { judgeChannelName } from '../channel-name.ts';
import { type ErrorBody, judgeErrorMembers } from '../refusal.ts';
import { MessageCourse } from './message-course.ts';
import {
  answerOf,
  answerRule,
  type ExpectedMessage,
  judgeMembers,
  judgeMessageShape,
  judgeServed,
  type MessageAnswer,
} from './messages-answer.ts';
import { readMessageEvents } from './messages-events.ts';

/** A complete native stream. */
export interface StreamedMessage extends MessageAnswer {
  /** The types of its events in order, without pings. */
  readonly eventTypes: readonly string[];
}

/** A native stream that failed after its start. */
export interface BrokenMessage {
  /** The text that arrived before the failure. */
  readonly text: string;
  /** Null when only the broken connection shows the failure. */
  readonly error: ErrorBody | null;
}

/** The rule about failures on compat path A. */
const errorRule = 'COMPA-011';

/**
 * Judges a stream of compat path A (reading B-91) by the order of the native protocol. It begins with
 * message_start. Blocks follow one after the other with consecutive indices; each is opened, filled and closed.
 * Then come message_delta with stop reason and counts, and message_stop; ping may come anywhere. The assembled
 * message is then judged like a non-streamed one.
 */
export function judgeMessageStream(exchange: Exchange, expected: ExpectedMessage): StreamedMessage {
  judgeServed(exchange, expected, 'text/event-stream', 'stream-content-type');
  const events = readMessageEvents(exchange, true);
  const course = new MessageCourse(exchange);
  for (const event of events) {
    must(event.type !== 'error', {
      requirement: expected.requirement,
      aspect: expected.aspect,
      expected: 'a whole stream',
      actual: JSON.stringify(event.data).slice(0, 240),
      exchange,
    });
    course.take(event);
  }
  must(course.stopped, {
    requirement: answerRule,
    aspect: 'event-order',
    expected: 'a stream that ends with message_stop',
    actual: `it ends with ${events.at(-1)?.type ?? 'no event'}`,
    exchange,
  });
  judgeMessageShape(course.message, exchange);
  const answer = answerOf(course.message);
  judgeMembers(answer, expected, exchange);
  return { ...answer, eventTypes: events.map(({ type }) => type).filter((type) => type !== 'ping') };
}

/**
 * Judges a stream of compat path A whose upstream failed after the start. It must contain an error event of the
 * common error shape, or at least break off. It must not end as if it had succeeded, and nothing may follow the
 * event.
 */
export function judgeBrokenMessage(exchange: Exchange, channels: readonly string[] = []): BrokenMessage {
  const complete = exchange.response?.complete === true;
  must(exchange.response?.status === 200 && mediaType(exchange) === 'text/event-stream', {
    requirement: errorRule,
    aspect: 'stream-began',
    expected: 'a stream that has begun',
    actual: outcomeOf(exchange),
    exchange,
  });
  const events = readMessageEvents(exchange, complete);
  const place = events.findIndex(({ type }) => type === 'error');
  const course = new MessageCourse(exchange);
  for (const event of place < 0 ? events : events.slice(0, place)) course.take(event);
  const rule = { requirement: errorRule, exchange };
  must(!course.concluded, {
    ...rule,
    aspect: 'no-false-ending',
    expected: 'no stop_reason in a failed answer',
    actual: JSON.stringify(course.message.stop_reason),
  });
  must(place >= 0 || !complete, {
    ...rule,
    aspect: 'visible',
    expected: 'an error event or a broken connection',
    actual: `the stream ends after ${events.at(-1)?.type ?? 'no event'} like a successful stream`,
  });
  const after = place < 0 ? [] : events.slice(place + 1).filter(({ type }) => type !== 'ping');
  must(after.length === 0, {
    ...rule,
    aspect: 'nothing-after-error',
    expected: 'no event after the error',
    actual: after.map(({ type }) => type).join(', '),
  });
  if (place < 0) return { text: course.text, error: null };
  const error = errorOf(events[place]?.data, exchange);
  judgeChannelName(error, channels, exchange);
  return { text: course.text, error };
}

function errorOf(data: unknown, exchange: Exchange): ErrorBody {
  const fault = shapeFault('error', data);
  must(fault === null, {
    requirement: errorRule,
    aspect: 'error-event-shape',
    expected: 'an error event with the normalised members',
    actual: `${fault?.path || 'the event'} ${fault?.reason}: ${JSON.stringify(data).slice(0, 200)}`,
    exchange,
  });
  return judgeErrorMembers((data as { error: Partial<ErrorBody> }).error, null, exchange);
}
