import { expect, it } from 'vitest';
import { exchangeOf, violationOf } from '../testing/sample-answers.ts';
import { judgeSameText } from './same-text.ts';

const rule = { requirement: 'RESP-024', aspect: 'text-unchanged', exchange: exchangeOf('{}') };

it.each(['', ' \n', '🌊 e\u0301', 'a'.repeat(10_000)])('accepts %j unchanged', (text) => {
  expect(violationOf(() => judgeSameText(text, text, rule))).toBeNull();
});

it.each([
  ['a\n', 'a'],
  ['e\u0301', 'é'],
  ['🌊', '\ufffd\ufffd'],
  ['a', null],
  ['', null],
])('distinguishes %j from %j', (sent, seen) => {
  expect(violationOf(() => judgeSameText(seen, sent, rule))).toBe('RESP-024 text-unchanged');
});

it('shows invisible characters at the first difference', () => {
  expect(() => judgeSameText('wide\u200b sea', 'wide sea', rule)).toThrow(/at 4 "wide\\u200b sea"/);
});
