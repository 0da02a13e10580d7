import { expect, it } from 'vitest';
import { Untestable } from '../rules/violation.ts';
import { findingOf } from '../testing/finding-of.ts';
import { answeredWith } from '../testing/sample-exchange.ts';
import type { Exchange } from '../wire/exchange.ts';
import { errorTable } from './error-table.ts';
import { judgeKnownRefusal } from './known-refusal.ts';
import { needAnswered, needServed } from './need-served.ts';

function refused(code: keyof typeof errorTable, status = errorTable[code].status): Exchange {
  const { type } = errorTable[code];
  const body = Buffer.from(
    JSON.stringify({ error: { type, code, message: 'No.', channel: null, param: null } }),
  );
  const exchange = answeredWith(['content-type', 'application/json']);
  const { response } = exchange;
  return { ...exchange, response: response && { ...response, status, body } };
}

const expected = {
  code: 'invalid_param',
  own: { requirement: 'LIM-023', aspect: 'cheap-refusal' },
  blames: (code: string) => code === 'quota_exceeded',
} as const;
const finding = (exchange: Exchange) => findingOf(() => judgeKnownRefusal(exchange, expected));

it('blames a wrong refusal on the rule of the needed code, unless its code concerns the own rule of the check', () => {
  expect(finding(refused('invalid_param'))).toBeNull();
  expect(finding(refused('model_not_found'))).toBe('ERR-024 provoked');
  expect(finding(refused('invalid_param', 404))).toBe('ERR-008 triple');
  expect(finding(refused('quota_exceeded'))).toBe('LIM-023 cheap-refusal');
  expect(finding(answeredWith())).toBe('ERR-024 provoked');
});

it('a call that a check only needs to succeed makes the check untestable when the service is down', () => {
  const down = refused('channel_outage');
  expect(() => needServed(down, 'twin-served')).toThrow(Untestable);
  expect(() => needServed({ ...down, response: null }, 'key-served')).toThrow(Untestable);
  for (const judged of [refused('invalid_param'), refused('invalid_api_key'), answeredWith()])
    expect(() => needServed(judged, 'twin-served')).not.toThrow();
  expect(() => needServed(down, 'form-served')).not.toThrow();
  expect(() => needAnswered(refused('model_not_found'), 'twin-served')).toThrow(Untestable);
  expect(() => needAnswered(refused('invalid_api_key'), 'twin-served')).not.toThrow();
});
