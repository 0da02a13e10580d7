import { type Finding, flag, must } from '../../rules/violation.ts';
import { eventHeader, type ReceivedEvent } from '../../wire/received-event.ts';

/**
 * The sending time in an event (reading B-112), ms since the epoch. Whole seconds mean any time within that
 * second.
 */
export interface Stamp {
  readonly fromMs: number;
  readonly toMs: number;
  readonly unit: 'seconds' | 'milliseconds' | 'text';
}

/** Unix seconds have ten digits until the year 2286; milliseconds have thirteen. */
const secondsPattern = /^\d{9,10}(?:\.\d+)?$/;
const millisecondsPattern = /^\d{12,13}$/;
const textPattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)$/i;

/** Reads a timestamp in any of its permitted forms; null for another form. */
export function readStamp(text: string): Stamp | null {
  if (secondsPattern.test(text)) {
    const fromMs = Number(text) * 1_000;
    return { fromMs, toMs: text.includes('.') ? fromMs + 1 : fromMs + 999, unit: 'seconds' };
  }
  if (millisecondsPattern.test(text))
    return { fromMs: Number(text), toMs: Number(text), unit: 'milliseconds' };
  const atMs = textPattern.test(text) ? Date.parse(text.replace(',', '.')) : Number.NaN;
  if (Number.isNaN(atMs)) return null;
  return { fromMs: atMs, toMs: /:\d\d[.,]/.test(text) ? atMs : atMs + 999, unit: 'text' };
}

/** The header with the signed time of a scheme. */
const signedName = 'webhook-timestamp';

/**
 * Judges the header that every event has with its sending time ("Events").
 * It must be present, readable, and equal to a separately signed time. Returns the advice about its form.
 */
export function judgeStamp(event: ReceivedEvent, name: string): Stamp & { readonly advice: Finding[] } {
  const own = { requirement: 'HOOK-008', exchange: event.exchange };
  const text = eventHeader(event, name);
  must(text !== null, {
    ...own,
    aspect: 'timestamp-header',
    expected: `the header ${name}`,
    actual: `event ${event.n} with ${event.headers.map(([key]) => key).join(', ')}`,
  });
  const stamp = readStamp(text);
  must(stamp !== null, {
    ...own,
    aspect: 'timestamp-header',
    expected: `${name} in Unix seconds, or as a time with its zone`,
    actual: JSON.stringify(text.slice(0, 80)),
  });
  const signedText = eventHeader(event, signedName);
  const signed = signedText === null ? stamp : readStamp(signedText);
  flag(signed !== null && stamp.fromMs <= signed.toMs && signed.fromMs <= stamp.toMs, {
    ...own,
    aspect: 'as-signed',
    expected: `one time in ${name} and in ${signedName}`,
    actual: `${text} and ${signedText}`,
  });
  if (stamp.unit !== 'milliseconds') return { ...stamp, advice: [] };
  const expected = `${name} in Unix seconds (reading B-112)`;
  return { ...stamp, advice: [{ ...own, aspect: 'seconds', expected, actual: text }] };
}
