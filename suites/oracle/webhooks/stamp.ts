import { type Finding, flag, must } from '../../rules/violation.ts';
import { eventHeader, type ReceivedEvent } from '../../wire/received-event.ts';

/** The time that an event says it was sent at (reading B-112), ms since the epoch. Whole seconds stand for all of a second. */
export interface Stamp {
  readonly fromMs: number;
  readonly toMs: number;
  readonly unit: 'seconds' | 'milliseconds' | 'text';
}

/** Unix seconds have ten digits until the year 2286, milliseconds thirteen. */
const secondsPattern = /^\d{9,10}(?:\.\d+)?$/;
const millisecondsPattern = /^\d{12,13}$/;
const textPattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)$/i;

/** Reads a timestamp in any of the forms that it may have; null when it has none of them. */
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

/** The header that a scheme signs the time by. */
const signedName = 'webhook-timestamp';

/**
 * The header that every event carries with the time of its sending ("Events"): there, readable, and the same as the time
 * that is signed where that has a header of its own. Returned with what could be better about its form.
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
