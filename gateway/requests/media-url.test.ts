import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mediaKind, mediaOf } from './media-url.ts';

it.for([
  ['data:image/png;base64,AAAA', 'image'],
  ['DATA:image/JPEG;base64,AAA=', 'image'],
  ['data:image/svg+xml;base64,AA==', 'image'],
  ['data:audio/mpeg;base64,AAAA', 'audio'],
  ['data:video/mp4;base64,AAAA', 'video'],
  ['data:application/pdf;base64,AAAA', 'document'],
  ['https://example.org/film.MP4?x=.png', 'video'],
  ['https://example.org/a.webm#x.png', 'video'],
  ['https://example.org/a/b.m4a', 'audio'],
  ['https://example.org/a.pdf', 'document'],
  ['https://example.org/pdf', 'image'],
  ['https://pdf', 'image'],
  ['https://example.pdf', 'image'],
  ['https://example.org/a.constructor', 'image'],
  ['http://[::1]:8080/a.png', 'image'],
  ['data:image/png;charset=x;base64,AAAA', null],
  ['data:image/png;base64,AA=A', null],
  ['data:image/png;base64,AAAA\n', null],
  ['data:image/png;base64,\u0141\u0141\u0141\u0141', null],
  ['data:image/png;base64,', null],
  ['data:image/png;base64', null],
  ['javascript:alert(1)', null],
  ['https:///a.png', null],
  ['https://a.png/ b', null],
] as const)('takes %j for %s', ([url, kind]) => {
  expect(mediaKind(url)).toBe(kind);
});

it('accepts data URIs up to 20 MB', () => {
  const uri = (bytes: number): string => `data:image/png;base64,${Buffer.alloc(bytes, 7).toString('base64')}`;
  expect(mediaKind(uri(20 * 1024 * 1024))).toBe('image');
  expect(mediaKind(uri(20 * 1024 * 1024 + 3))).toBeNull();
});

it('splits a data URI, and lowercases its type', () => {
  expect(mediaOf('DATA:Image/JPEG;base64,AAA=')).toEqual({
    kind: 'image',
    mime: 'image/jpeg',
    data: 'AAA=',
    url: null,
  });
});

it.for([
  ['https://example.org/a.JPG?size=2', 'image/jpeg'],
  ['https://example.org/a.mov', 'video/quicktime'],
  ['https://example.org/a.pdf', 'application/pdf'],
  ['https://example.org/a', null],
  ['https://example.org/a.xyz', null],
] as const)('reads the type of %j as %s and leaves the URL unchanged', ([url, mime]) => {
  expect(mediaOf(url)).toMatchObject({ url, mime, data: null });
});

it('accepts exactly padded base64 of any length', () => {
  const letter = fc.constantFrom(...'AQZaz09+/');
  const odd = fc.constantFrom('-', '_', '=', ' ', '\n', '!', '.', '\u0000', 'é', '€', '😀', '%');
  const text = fc
    .array(fc.oneof({ weight: 40, arbitrary: letter }, { weight: 1, arbitrary: odd }), { maxLength: 64 })
    .chain((letters) => fc.constantFrom('', '=', '==').map((end) => letters.join('') + end));
  fc.assert(
    fc.property(text, (data) => {
      const isRight = data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
      expect(mediaKind(`data:image/png;base64,${data}`)).toBe(isRight ? 'image' : null);
    }),
    { numRuns: 3_000 },
  );
});
