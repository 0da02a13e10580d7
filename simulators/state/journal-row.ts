import { createHash } from 'node:crypto';
import type { ConsoleRow } from '../control/console-shapes.ts';
import { keyFingerprint } from '../requests/key-fingerprint.ts';
import { keysOf, RequestFacts } from '../requests/request-facts.ts';
import type { JournalRecord } from './journal-record.ts';
import type { Redaction } from './redaction.ts';

/** The members that never change after the body has arrived. */
type Fixed = Pick<ConsoleRow, 'path' | 'agent' | 'key' | 'model' | 'call'>;

const fixedOf = new WeakMap<JournalRecord, Fixed>();

const erroneous = new WeakMap<JournalRecord, boolean>();

/** Whether an answer that has ended has an error in its events or its body. */
function saysError(record: JournalRecord): boolean {
  if (record.ended === 'open') return false;
  const known = erroneous.get(record);
  if (known !== undefined) return known;
  const says = /"error": ?\{|^event: error/m.test(record.replyText());
  erroneous.set(record, says);
  return says;
}

/** The row of a record in the list of requests. */
export function rowOf(tenant: string, record: JournalRecord, redaction: Redaction): ConsoleRow {
  const { channel, method, atMs } = record.arrival;
  const outline = record.outline;
  return {
    tenant,
    n: record.n,
    channel,
    method,
    ...fixed(record, redaction),
    at_ms: atMs,
    first_ms: outline.firstAtMs,
    ended_ms: outline.endedAtMs,
    ended: record.ended,
    waiting_at: record.waitingAt,
    status: outline.status,
    says_error: outline.status === 200 && saysError(record),
    fault: outline.fault,
    by: outline.disturbedBy ?? outline.script,
    request_bytes: outline.requestBytes,
    reply_bytes: outline.replyBytes,
    sends: outline.sends,
  };
}

function fixed(record: JournalRecord, redaction: Redaction): Fixed {
  const known = fixedOf.get(record);
  if (known !== undefined) return known;
  const { path: target, channel } = record.arrival;
  const headers = record.arrival.headers.pairs;
  const query = new URLSearchParams(target.split('?')[1] ?? '');
  const [key] = keysOf({ target, path: target, query, headers });
  const of = (name: string): string | null =>
    headers.find(([header]) => header.toLowerCase() === name)?.[1] ?? null;
  const row: Fixed = {
    path: redaction.text(target),
    agent: redacted(of('user-agent'), redaction),
    key: key === undefined ? null : keyFingerprint(key),
    model: null,
    call: null,
  };
  if (!record.isComplete && record.ended === 'open') return row;
  const body = record.requestBody();
  const { model } = new RequestFacts({ target, path: target, query, headers }, channel, body);
  const whole = { ...row, model: redacted(model, redaction), call: callOf(of, body) };
  fixedOf.set(record, whole);
  return whole;
}

function redacted(text: string | null, redaction: Redaction): string | null {
  return text === null ? null : redaction.text(text);
}

/** URLs of images and callbacks. Unrelated calls may share them. */
function isAddress(text: string): boolean {
  return /^(?:https?|data):/i.test(text);
}

/** Headers by which a gateway marks the attempts of one call. */
const callHeaders = ['idempotency-key', 'traceparent', 'x-request-id', 'x-correlation-id'];

/**
 * The identity of the call that a request belongs to. It comes from a header or, without one, from the longest text of the
 * body, which stays the same across channels and dialects.
 */
function callOf(of: (header: string) => string | null, body: Buffer): string | null {
  for (const name of callHeaders) {
    const value = of(name);
    // The later fields of a traceparent differ between attempts.
    if (value !== null) return mark(name === 'traceparent' ? (value.split('-')[1] ?? value) : value);
  }
  const text = tellingText(body);
  return text === null ? null : mark(text);
}

function mark(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** The maximum size of a body to search for texts. Larger ones are images and videos. */
const maxRead = 1024 * 1024;

/** The reference of a callback-jobs submit, otherwise the longest text. */
function tellingText(body: Buffer): string | null {
  if (body.length === 0 || body.length > maxRead) return null;
  let longest = '';
  try {
    const { reference } = Object(
      JSON.parse(body.toString('utf8'), (_name, value: unknown) => {
        if (typeof value === 'string' && value.length > longest.length && !isAddress(value)) longest = value;
        return value;
      }),
    );
    if (typeof reference === 'string') return reference;
  } catch {
    return null;
  }
  return longest === '' ? null : longest;
}
