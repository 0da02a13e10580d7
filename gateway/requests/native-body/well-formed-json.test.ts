import { expect, it } from 'vitest';
import { parseExact } from '../../http/parse-json.ts';
import { wellFormedJson } from './well-formed-json.ts';

it.for([
  ['cut \ud83d', 'cut \ufffd'],
  ['\ude00 begun', '\ufffd begun'],
  ['whole 😀 \u2028', 'whole 😀 \u2028'],
  ['an escape: \\ud83d', 'an escape: \\ud83d'],
])('writes %j as %j', ([given, written]) => {
  expect(JSON.parse(wellFormedJson({ a: [given] }))).toEqual({ a: [written] });
});

it('keeps the digits of numbers beside a broken character', () => {
  const value = parseExact('{"n":12345678901234567890,"t":"\\ud83d"}');
  expect(wellFormedJson(Object(value))).toBe('{"n":12345678901234567890,"t":"\ufffd"}');
});
