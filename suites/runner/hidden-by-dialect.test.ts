import { expect, it } from 'vitest';
import type { Profile } from '../profile/profile.ts';
import { profileSchema } from '../profile/profile.ts';
import type { Finding } from '../rules/violation.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Outcome } from './conclude.ts';
import { withoutHidden } from './hidden-by-dialect.ts';

const exchange = (status: number, text: string): Exchange =>
  ({
    label: 'request',
    request: { method: 'POST', url: 'http://gw/api/v1/tasks', headers: [], body: Buffer.alloc(0) },
    response: { status, headers: [], body: Buffer.from(text) },
    error: null,
  }) as unknown as Exchange;

const finding = (requirement: string, expected: string, seen = exchange(200, '{}')): Finding =>
  ({ requirement, aspect: 'a', expected, actual: 'none', exchange: seen }) as Finding;

const profile: Profile = {
  ...profileSchema.parse({ base_url: 'http://gw', keys: { K1: 'k' } }),
  translation: {
    request: (one) => one,
    answer: (one) => one,
    events: () => (event) => (event === null ? [] : [event]),
    streamHead: (one) => one,
    hides: ({ expected }) => (expected.includes('submit_time') ? 'dialect.fields' : null),
  },
};
const pass: Outcome = { verdict: 'pass', finding: null, missing: [] };

it.each([
  ['beside its rules leaves a check as it is', finding('TASK-012', 'submit_time'), 'pass', []],
  [
    'of its own rules makes a check untestable',
    finding('TASK-009', 'submit_time'),
    'untestable',
    ['dialect.fields'],
  ],
  [
    'by a limit by time makes a check untestable',
    finding('ERR-004', 'a task', exchange(429, '{"error":"20 requests per minute"}')),
    'untestable',
    ['http.calls_per_minute: the limit of calls by time'],
  ],
] as const)('a hidden finding %s', (_, found, verdict, missing) => {
  const violations = [found];
  expect(withoutHidden(profile, { violations }, pass, ['TASK-009'])).toMatchObject({ verdict, missing });
  expect(violations).toEqual([]);
});

it('a finding that nothing hides stays', () => {
  const violations = [finding('ERR-004', 'a code')];
  expect(withoutHidden(profile, { violations }, pass, ['ERR-004'])).toBe(pass);
  expect(violations).toHaveLength(1);
});
