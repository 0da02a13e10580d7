import { expect, it } from 'vitest';
import type { Exchange } from '../../wire/exchange.ts';
import { CheckRecord } from './check-record.ts';

it('counts calls and generations of catalogue models, not of names that a check invents', () => {
  const record = new CheckRecord();
  const made = { images: 1, seconds: 0 };
  for (const model of ['kontext-pro', 'kontext-pro', 'constructor', '__proto__'])
    record.countModel(model, null);
  record.countModel('kontext-pro', { model: 'kontext-pro', made });
  record.countModel('constructor', { model: 'constructor', made });
  expect(Object.fromEntries(record.models)).toEqual({
    'kontext-pro': { asked: 3, paid: 1, images: 1 },
    constructor: { asked: 1, paid: 1, images: 1 },
  });
});

it('counts repeated reads apart from exchanges that a replay repeats exactly', () => {
  const record = new CheckRecord();
  record.countExchange('one');
  record.countRead();
  record.countRead();
  expect([record.exchanges, record.reads]).toEqual([3, 2]);
});

function askedOf(model: string): Exchange {
  const body = Buffer.from(JSON.stringify({ model }));
  const request = { method: 'POST', url: 'http://gw.test/api/v1/chat/completions', headers: [], body };
  return { label: '', request, response: null, error: null, sentAt: 0, endedAt: 0 };
}

it('keeps one violation of an aspect for each model family, up to 20 aspects', () => {
  const record = new CheckRecord();
  const violate = (model: string, aspect: string): void =>
    record.violate({ requirement: 'R-1', aspect, expected: '', actual: model, exchange: askedOf(model) });
  for (const model of ['alpha-5-2', 'alpha-codex', 'delta-3']) violate(model, 'one');
  for (let more = 0; more < 30; more += 1) violate('alpha-5-2', `more-${more}`);
  violate('beta-mid-4-5', 'one');
  expect(record.violations.filter(({ aspect }) => aspect === 'one').map(({ actual }) => actual)).toEqual([
    'alpha-5-2',
    'delta-3',
    'beta-mid-4-5',
  ]);
  expect(new Set(record.violations.map(({ aspect }) => aspect)).size).toBe(20);
});

it('has the same hash for the same requests in any order, however often repeated', () => {
  const digestOfAll = (...asked: string[]): string => {
    const record = new CheckRecord();
    for (const one of asked) record.countExchange(one);
    return record.digest();
  };
  expect(digestOfAll('one', 'two', 'one')).toBe(digestOfAll('two', 'one'));
  expect(digestOfAll('one', 'two', 'three')).not.toBe(digestOfAll('two', 'one'));
});

it('ignores findings after its check was closed', () => {
  const record = new CheckRecord();
  const found = (aspect: string) => ({ requirement: 'R-1', aspect, expected: '', actual: '' });
  record.violate(found('before'));
  record.close();
  record.violate(found('after'));
  record.advise(found('after'));
  expect([record.violations, record.advice]).toEqual([[found('before')], []]);
});
