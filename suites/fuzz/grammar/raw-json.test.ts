import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonText } from '../../oracle/json-text.ts';
import { MemberList, printBody, RawBytes } from './raw-json.ts';

it('prints the same as JSON.stringify when nothing is raw', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      (value) => printBody(value).toString() === JSON.stringify(value),
    ),
  );
});

it('prints raw bytes, duplicate members, and exact numbers as given', () => {
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
