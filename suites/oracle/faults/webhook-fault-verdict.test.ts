import { describe, expect, it } from 'vitest';
import { Violation } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { loadWebhookFaults } from './webhook-fault-facts.ts';
import { judgeReports } from './webhook-fault-verdict.ts';

const exchange: Exchange = {
  label: 'a read',
  request: { method: 'GET', url: 'http://g.example/', headers: [], body: Buffer.alloc(0) },
  response: null,
  error: null,
  sentAt: 0,
  endedAt: 1,
};
const { reports: all } = loadWebhookFaults();
const error = (code: string, type = 'invalid_request_error'): string =>
  JSON.stringify({ error: { type, code, message: 'm', channel: null, param: null } });

interface Seen {
  readonly faulted?: string | null;
  readonly status: number | null;
  readonly answer?: string;
}

/** What is found wrong with such an answer to a report, as requirement and aspect; null when nothing is. */
function found(id: string, form: string, { faulted = form, status, answer = '' }: Seen): string | null {
  const facts = all.find((one) => one.id === id);
  if (facts === undefined) throw new Error(`no fault ${id}`);
  try {
    judgeReports([{ n: 1, kind: 'complete', faulted, status, answer }], facts, form, exchange);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof Violation)) throw thrown;
    return `${thrown.finding.requirement} ${thrown.finding.aspect}`;
  }
}

const unsigned = error('invalid_api_key', 'auth_error');

describe('the answer to a report', () => {
  it.each<[string, string, Seen]>([
    ['W1', 'twice', { status: 200 }],
    ['W5', 'unsigned', { status: 401, answer: unsigned }],
    ['W6', 'old', { status: 400, answer: error('webhook_replay') }],
    ['W6', 'replayed', { faulted: null, status: 204 }],
    ['W6', 'milliseconds', { status: 400, answer: error('invalid_param') }],
    ['W6', 'milliseconds', { status: 401, answer: unsigned }],
    ['W7', 'huge', { status: null }],
    ['W7', 'not-json', { status: 400, answer: error('invalid_param') }],
    ['W7', 'other-job', { status: 202 }],
  ])('%s %s may be %o', (id, form, seen) => {
    expect(found(id, form, seen)).toBeNull();
  });

  it.each<[string, string, Seen, string]>([
    ['W1', 'twice', { status: 409 }, 'STATE-005 report-taken'],
    ['W3', 'complete', { status: 404 }, 'STATE-005 report-taken'],
    ['W5', 'unsigned', { faulted: null, status: 401, answer: unsigned }, 'STATE-005 report-taken'],
    ['W5', 'unsigned', { status: 200 }, 'ERR-014 report-refused'],
    [
      'W5',
      'unsigned',
      { status: 401, answer: error('ip_not_allowed', 'auth_error') },
      'ERR-014 report-refused',
    ],
    ['W5', 'unsigned', { status: 401, answer: 'no' }, 'ERR-014 report-refused'],
    ['W6', 'old', { status: 200 }, 'ERR-033 report-replayed'],
    ['W6', 'old', { status: null }, 'ERR-033 report-replayed'],
    ['W6', 'ahead', { status: 400, answer: error('invalid_param') }, 'ERR-033 report-replayed'],
    ['W7', 'not-json', { status: 200 }, 'ERR-001 report-refused'],
    ['W7', 'not-json', { status: 500 }, 'ERR-001 report-refused'],
    ['W7', 'not-json', { status: null }, 'ERR-001 report-refused'],
  ])('%s %s may not be %o', (id, form, seen, finding) => {
    expect(found(id, form, seen)).toBe(finding);
  });
});
