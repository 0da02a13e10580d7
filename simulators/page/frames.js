// Server-sent events in the bytes of an answer, each with the time at which its last byte was sent.

import { asText } from './bytes.js';
import { payloadOf } from './payload.js';

/** @typedef {import('../control/journal.ts').Send} Send */
/** @typedef {{ readonly atMs: number, readonly label: string, readonly bytes: number, readonly event: string | null, readonly data: string }} Frame */

/**
 * The events; empty for bytes that are no stream of them.
 * @param {Uint8Array} raw @param {readonly Send[]} sends
 * @returns {Frame[]}
 */
export function framesOf(raw, sends) {
  const { bytes, rawEnd } = payloadOf(raw);
  const frames = [];
  let from = 0;
  for (const end of endsOf(bytes)) {
    const text = asText(bytes.subarray(from, end));
    const frame = read(text);
    if (frame !== null) frames.push({ ...frame, ...sendAt(sends, rawEnd(end)), bytes: end - from });
    from = end;
  }
  return frames.some(({ data }) => data !== '') ? frames : [];
}

/** Where events end: behind each empty line, and at the end of the bytes. @param {Uint8Array} bytes */
function* endsOf(bytes) {
  const [newline, back] = [10, 13];
  let lineFrom = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== newline) continue;
    const isEmpty = at === lineFrom || (at === lineFrom + 1 && bytes[lineFrom] === back);
    lineFrom = at + 1;
    if (isEmpty) yield at + 1;
  }
  if (lineFrom < bytes.length || bytes.length === 0) yield bytes.length;
}

/** @param {string} text */
function read(text) {
  let event = null;
  const data = [];
  let isEvent = false;
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line === '') continue;
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
    else if (name !== '' && name !== 'id' && name !== 'retry') return null;
    else if (name === '') data.push(`:${value}`);
    isEvent = true;
  }
  return isEvent ? { event, data: data.join('\n') } : null;
}

/** The write that carried the byte before `end`. @param {readonly Send[]} sends @param {number} end */
function sendAt(sends, end) {
  let sent = 0;
  for (const { label, actual_ms, bytes } of sends) {
    sent += bytes;
    if (sent >= end && bytes > 0) return { atMs: actual_ms, label };
  }
  const last = sends.at(-1);
  return { atMs: last?.actual_ms ?? 0, label: last?.label ?? '' };
}
