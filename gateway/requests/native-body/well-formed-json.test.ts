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

it('keeps the digits of numbers next to a lone surrogate', () => {
  const value = parseExact('{"n":12345678901234567890,"t":"\\ud83d"}');
  expect(wellFormedJson(Object(value))).toBe('{"n":12345678901234567890,"t":"\ufffd"}');
});

const letters = 'QUJD'.repeat(300_000);
const pictures: readonly (readonly [string, string])[] = [
  ['as it stands', letters],
  ['with an end', `${letters}QQ==`],
  ['in a data URI', `data:image/png;base64,${letters}`],
  ['with a head of odd letters', `data:image/"\n";base64,${letters}`],
  ['that is none', `${letters}"\n\\`],
  ['with an end in the middle', `${letters}QQ==${letters}`],
  ['with two bytes a letter', `${letters}\u0141\u0141\u0141\u0141`],
];
it.for(pictures)('writes a large image %s like any other text', ([, picture]) => {
  const value = { b: 1, a: [{ data: picture, t: 'x' }, 'y', { url: picture, none: undefined, nil: null }] };
  expect(wellFormedJson(value)).toBe(JSON.stringify(value));
});

it('replaces lone surrogates next to a large image, and in a long text that is no image', () => {
  const value = { a: letters, b: 'cut \ud83d', c: `${letters}\ud841\ud841\ud841\ud841` };
  const sent = JSON.parse(wellFormedJson(value));
  expect([sent.a === letters, sent.b]).toEqual([true, 'cut \ufffd']);
  expect(sent.c).toBe(`${letters}\ufffd\ufffd\ufffd\ufffd`);
});
