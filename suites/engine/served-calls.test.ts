import { expect, it } from 'vitest';
import { answeredWith } from '../testing/sample-exchange.ts';
import type { Exchange } from '../wire/exchange.ts';
import { postedWithinMs, ServedCalls } from './served-calls.ts';

const call = (label: string, ageMs = 0): Exchange => ({
  ...answeredWith(),
  label,
  endedAt: Date.now() - ageMs,
});
const labels = (exchanges: readonly Exchange[]): string[] => exchanges.map(({ label }) => label);

it('returns the served calls of each tenant once', () => {
  const served = new ServedCalls();
  served.note('one', call('a'));
  served.note('two', call('b'));
  served.note('one', call('c'));
  expect(labels(served.take('one'))).toEqual(['a', 'c']);
  expect([labels(served.take('one')), labels(served.take('two'))]).toEqual([[], ['b']]);
});

it('skips calls that were not served or are long over', () => {
  const served = new ServedCalls();
  const refused = call('refused');
  served.note('one', { ...refused, response: refused.response && { ...refused.response, status: 429 } });
  served.note('one', { ...call('lost'), response: null });
  served.note('one', call('old', postedWithinMs + 1));
  served.note('one', call('new'));
  expect(labels(served.take('one'))).toEqual(['new']);
});
