import { expect, it } from 'vitest';
import { CheckRecord } from '../engine/parts/check-record.ts';
import type { Finding } from '../rules/violation.ts';
import type { Exchange } from '../wire/exchange.ts';
import { withoutUnknownKeys } from './unknown-keys.ts';

const made = 'sk-app-made-a-moment-ago';

function answered(status: number, code: string, key = made): Exchange {
  const headers = [['authorization', `Bearer ${key}`]] as const;
  const request = {
    method: 'POST',
    url: 'http://gw.test/api/v1/chat/completions',
    headers,
    body: Buffer.of(),
  };
  const body = Buffer.from(JSON.stringify({ error: { code } }));
  const response = { status, headers: [], body };
  return { label: '', request, response, error: null, sentAt: 0, endedAt: 0 } as unknown as Exchange;
}

/** The verdict of a check that ended with a refusal of this exchange, after others. */
function verdictOf(exchange: Exchange, ...before: Exchange[]): string {
  const record = new CheckRecord();
  record.unknownKeys.add(made);
  for (const one of [...before, exchange]) record.keep(one);
  const finding: Finding = { requirement: 'LIM-002', aspect: 'a', expected: 'b', actual: 'c', exchange };
  return withoutUnknownKeys(record, { verdict: 'fail', finding, missing: [] }).verdict;
}

it('attributes the refusal of a new key to the hook that made it', () => {
  expect(verdictOf(answered(401, 'invalid_api_key'))).toBe('untestable');
});

it('keeps the failure when the deployment has shown that it knows the key, or refuses another key', () => {
  expect(verdictOf(answered(401, 'invalid_api_key'), answered(200, ''))).toBe('fail');
  expect(verdictOf(answered(401, 'invalid_api_key'), answered(429, 'quota_exceeded'))).toBe('fail');
  expect(verdictOf(answered(401, 'sk_disabled'))).toBe('fail');
  expect(verdictOf(answered(403, 'ip_not_allowed'))).toBe('fail');
  expect(verdictOf(answered(401, 'invalid_api_key', 'sk-app-of-the-profile'))).toBe('fail');
});

it('keeps other findings of a check, and names what is missing when there are none', () => {
  const record = new CheckRecord();
  record.unknownKeys.add(made);
  const exchange = answered(401, 'invalid_api_key');
  record.keep(exchange);
  record.violate({ requirement: 'LIM-002', aspect: 'a', expected: 'b', actual: 'c', exchange });
  const passed = withoutUnknownKeys(record, { verdict: 'pass', finding: null, missing: [] });
  expect(record.violations).toEqual([]);
  expect(passed).toEqual({
    verdict: 'untestable',
    finding: null,
    missing: ['keys of hooks.accounts that work once they are made (one got HTTP 401)'],
  });
});
