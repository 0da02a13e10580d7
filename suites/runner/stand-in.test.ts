import type { CheckResult } from 'gatecheck-reports/report';
import { expect, it } from 'vitest';
import { standInsInWords } from './stand-in.ts';

const failing = (count: number, answered: string, requirement = 'ERR-029', asked = ['a', 'b']) =>
  Array.from({ length: count }, (_, index) => {
    const request = { body: JSON.stringify({ model: asked[index % asked.length] }) };
    const response = { status: 200, body: JSON.stringify({ id: '1', model: answered }) };
    const failure = { requirement, exchange: { request, response } };
    return { id: `x.${requirement}.${index}`, verdict: 'fail', failure } as unknown as CheckResult;
  });

it('a model that answers for others where they should fail is one cause, and says so', () => {
  expect(standInsInWords(failing(12, 'mock/echo')).join()).toMatch(/^12 checks .* mock\/echo answers/);
});

it.each([
  ['few checks', failing(9, 'mock/echo')],
  ['the model itself', failing(12, 'a', 'ERR-029', ['a'])],
  ['another name of one model', failing(12, 'a-2026', 'ERR-029', ['a'])],
  ['a name that good answers have, too', [...failing(12, 'up'), ...failing(8, 'up', 'RESP-004')]],
])('%s is none', (_, results) => {
  expect(standInsInWords(results)).toEqual([]);
});
