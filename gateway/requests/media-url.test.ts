import { expect, it } from 'vitest';
import { mediaKind } from './media-url.ts';

it.for([
  ['data:image/png;base64,AAAA', 'image'],
  ['DATA:image/JPEG;base64,AAA=', 'image'],
  ['data:image/svg+xml;base64,AA==', 'image'],
  ['data:audio/mpeg;base64,AAAA', 'other'],
  ['data:application/pdf;base64,AAAA', 'other'],
  ['https://example.org/film.MP4?x=.png', 'other'],
  ['https://example.org/pdf', 'image'],
  ['http://[::1]:8080/a.png', 'image'],
  ['data:image/png;charset=x;base64,AAAA', null],
  ['data:image/png;base64,AA=A', null],
  ['data:image/png;base64,AAAA\n', null],
  ['data:image/png;base64', null],
  ['javascript:alert(1)', null],
  ['https:///a.png', null],
  ['https://a.png/ b', null],
] as const)('takes %j for %s', ([url, kind]) => {
  expect(mediaKind(url)).toBe(kind);
});

it('takes data URIs of 20 MB and none above', () => {
  const uri = (bytes: number): string => `data:image/png;base64,${Buffer.alloc(bytes, 7).toString('base64')}`;
  expect(mediaKind(uri(20 * 1024 * 1024))).toBe('image');
  expect(mediaKind(uri(20 * 1024 * 1024 + 3))).toBeNull();
});
