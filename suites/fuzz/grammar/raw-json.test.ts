import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonText } from '../../oracle/json-text.ts';
import { isLarger, jsonTypeOf, MemberList, printBody, RawBytes } from './raw-json.ts';

it('prints what JSON.stringify prints, where nothing is raw', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      (value) => printBody(value).toString() === JSON.stringify(value),
    ),
  );
});

it('prints raw bytes, the same member twice, and exact numbers as they are', () => {
  const body = {
    a: new RawBytes(Buffer.from([0x22, 0xff, 0x22]), null),
    b: new MemberList([
      ['x', 1],
      ['x', new JsonText('1e400')],
      [new RawBytes("'y'", null), [new RawBytes('NaN', null)]],
    ]),
  };
  expect(printBody(body).toString('latin1')).toBe('{"a":"\u00ff","b":{"x":1,"x":1e400,\'y\':[NaN]}}');
});

it('knows what a parser reads there', () => {
  expect([null, 1, 'a', [], {}, true].map(jsonTypeOf)).toEqual([
    ...['null', 'number', 'string', 'list', 'object', 'boolean'],
  ]);
  expect(jsonTypeOf(new RawBytes('1e400', 'number'))).toBe('number');
  expect(jsonTypeOf(new RawBytes('NaN', null))).toBeNull();
  expect(jsonTypeOf(new MemberList([]))).toBe('object');
});

it('knows how large a body is without printing it', () => {
  const body = { a: ['bcd', new MemberList([['e', new RawBytes('12345', 'number')]])] };
  expect([isLarger(body, 20), isLarger(body, 5)]).toEqual([false, true]);
  const row = Array.from({ length: 20_000 }, () => 'x'.repeat(100));
  expect(
    isLarger(
      row.map(() => row),
      1_000_000,
    ),
  ).toBe(true);
});
