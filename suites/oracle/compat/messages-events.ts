import { flag, must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { readSse, type SseReading } from '../../wire/sse.ts';
import { type Json, objectOf, readJson } from '../native/json.ts';
import { answerRule } from './messages-answer.ts';

/** One event of a native stream. */
export interface MessageEvent {
  readonly type: string;
  readonly data: Json;
}

/**
 * Reads the events of a native stream. Each is named and contains one JSON object whose type is the name. Bytes
 * outside events are a fault.
 */
export function readMessageEvents(exchange: Exchange, wholly: boolean): MessageEvent[] {
  const reading = readSse(exchange.response?.body ?? Buffer.alloc(0));
  judgeGrammar(reading, exchange, wholly);
  return reading.events.map(({ data, event }) => {
    flag(data !== '[DONE]', {
      requirement: answerRule,
      aspect: 'no-done',
      expected: 'a native stream, which ends with message_stop',
      actual: 'an event [DONE]',
      exchange,
    });
    const value = withType(parsed(data));
    must(value !== null && typeof value.type === 'string', {
      requirement: answerRule,
      aspect: 'event-shape',
      expected: 'an event with a JSON object that has a type',
      actual: data.slice(0, 160),
      exchange,
    });
    flag(event === value.type || (value.type === 'error' && event === null), {
      requirement: answerRule,
      aspect: 'event-name',
      expected: `an event with its type as its name, ${String(value.type)}`,
      actual: event === null ? 'no name' : `event: ${event}`,
      exchange,
    });
    return { type: value.type, data: value };
  });
}

/** An error with only the normalized members is still an error; the native members are optional (reading B-90). */
function withType(value: Json | null): Json | null {
  return value !== null && value.type === undefined && value.error !== undefined
    ? { ...value, type: 'error' }
    : value;
}

function judgeGrammar(reading: SseReading, exchange: Exchange, wholly: boolean): void {
  flag(!wholly || reading.faults.length === 0, {
    requirement: answerRule,
    aspect: 'stream-grammar',
    expected: 'events of valid SSE lines, each ended by a blank line',
    actual: reading.faults.join('; '),
    exchange,
  });
}

function parsed(text: string): Json | null {
  try {
    const value = readJson(text);
    return value === null || typeof value !== 'object' || Array.isArray(value) ? null : objectOf(value);
  } catch {
    return null;
  }
}
