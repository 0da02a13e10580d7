import { expect, it } from 'vitest';
import { CheckRecord } from './check-record.ts';

it('counts calls of models of the catalogue and what is paid for, not names that a check makes up', () => {
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

it('tells repeated reads from exchanges that a replay sends as often', () => {
  const record = new CheckRecord();
  record.countExchange('one');
  record.countRead();
  record.countRead();
  expect([record.exchanges, record.reads]).toEqual([3, 2]);
});
