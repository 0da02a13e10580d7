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

/** The violation in such an answer to a report, as requirement and aspect; null when there is none. */
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
});
