import { expect, it } from 'vitest';
import { otherMedia, pictures } from './sample-media.ts';

/** The first bytes of a file of each type, one character a byte; `?` matches any byte. */
const beginnings: Readonly<Record<string, string>> = {
  'image/png': '\x89PNG\r\n\x1a\n',
  'image/jpeg': '\xff\xd8\xff',
  'image/webp': 'RIFF????WEBP',
  'video/mp4': '????ftyp',
  'audio/mpeg': '\xff\xe3',
  'audio/wav': 'RIFF????WAVE',
  'application/pdf': '%PDF-1.4',
};

it('each medium starts like a file of its type', () => {
  for (const { mime, dataUri } of [...pictures, ...otherMedia]) {
    const bytes = Buffer.from(dataUri.slice(dataUri.indexOf(',') + 1), 'base64').toString('latin1');
    const expected = beginnings[mime] ?? 'no beginning known';
    const begins = [...expected].every((byte, index) => byte === '?' || bytes[index] === byte);
    expect(begins, mime).toBe(true);
  }
});

it('the PDF has its cross-reference table at the declared offset', () => {
  const pdf = otherMedia.find(({ kind }) => kind === 'pdf');
  const base64 = pdf?.dataUri.split(',')[1] ?? '';
  const file = Buffer.from(base64, 'base64').toString('latin1');
  const offset = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]);
  expect(file.slice(offset, offset + 4)).toBe('xref');
});
