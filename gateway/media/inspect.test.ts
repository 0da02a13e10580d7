import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pngOf } from '../testing/native-media.ts';
import { extensionOf, inspectOutput, type Wanted } from './inspect-output.ts';
import { inspectPicture, isSvg } from './inspect-picture.ts';
import { sourceOf } from './media-source.ts';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../fixtures/media/${name}`, import.meta.url));

/** A lossless image: one bit of alpha and the version follow its sides. */
function losslessWebp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(32);
  bytes.write('RIFF', 'latin1');
  bytes.writeUInt32LE(24, 4);
  bytes.write('WEBPVP8L', 8, 'latin1');
  bytes.writeUInt32LE(12, 16);
  bytes[20] = 0x2f;
  bytes.writeUInt32LE(((height - 1) << 14) | (width - 1), 21);
  return bytes;
}

describe('an image', () => {
  it.each([
    ['png', fixture('sea.png'), { extension: 'png', width: 2, height: 2 }],
    ['jpg', fixture('sea.jpg'), { extension: 'jpg', width: 8, height: 8 }],
    ['webp', fixture('sea.webp'), { extension: 'webp', width: 2, height: 2 }],
    ['lossless webp', losslessWebp(1408, 600), { extension: 'webp', width: 1408, height: 600 }],
    ['large png', pngOf(4096, 1755), { extension: 'png', width: 4096, height: 1755 }],
    [
      'png with something behind it',
      Buffer.concat([pngOf(3, 4), Buffer.from('x')]),
      { extension: 'png', width: 3, height: 4 },
    ],
  ])('is known with its size: %s', (_what, bytes, facts) => {
    expect(inspectPicture(bytes)).toEqual(facts);
  });

  it.each(['sea.png', 'sea.jpg', 'sea.webp'])('is rejected when it is cut anywhere: %s', (name) => {
    const bytes = fixture(name);
    const whole = Array.from(bytes, (_, length) => inspectPicture(bytes.subarray(0, length))).filter(
      (facts) => facts,
    );
    expect(whole).toEqual([]);
  });

  it.each([
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', true],
    ['<?xml version="1.0"?>\n<!-- drawn --><svg viewBox="0 0 1 1"/>', true],
    ['<svg/>', true],
    ['<!DOCTYPE html><p>expired', false],
    ['<!DOCTYPE html><body><svg viewBox="0 0 1 1"/>', false],
    ['', false],
  ])('is a drawing or not: %j', (text, is) => {
    expect(isSvg(Buffer.from(text))).toBe(is);
  });

  it('is rejected when it is damaged, of another kind or of no size', () => {
    const damaged = pngOf(40, 40);
    damaged[45] = (damaged[45] ?? 0) ^ 1;
    for (const bytes of [damaged, pngOf(0, 5), fixture('sea.mp4'), Buffer.from('<html>'), Buffer.alloc(0)])
      expect(inspectPicture(bytes)).toBeNull();
  });
});

/** A box of an MP4 file. */
function box(type: string, ...content: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...content]);
}

/** A fragmented file of 1000 units a second, whose header states `own` units, and whose extension `stated`. */
function fragmented(own: number, stated: number): Buffer {
  const header = Buffer.alloc(100);
  header.writeUInt32BE(1000, 12);
  header.writeUInt32BE(own, 16);
  const length = Buffer.alloc(8);
  length.writeUInt32BE(stated, 4);
  const index = box('moov', box('mvhd', header), box('mvex', box('mehd', length)));
  return Buffer.concat([box('ftyp', Buffer.from('isom')), index, box('mdat', Buffer.alloc(4))]);
}

describe('an output', () => {
  const seen = async (bytes: Buffer, want: Wanted) => {
    const extension = extensionOf(bytes.subarray(0, 64), want);
    return extension === null ? null : { extension, facts: await inspectOutput(sourceOf(bytes), extension) };
  };
  const lyrics = Buffer.from('[00:01.00] La mer, là-bas\n');

  it.each<[string, Buffer, Wanted, string, number | null]>([
    ['film', fixture('sea.mp4'), 'video', 'mp4', 0.4],
    ['sound', fixture('sea.mp3'), 'audio', 'mp3', null],
    ['samples', fixture('sea.wav'), 'audio', 'wav', null],
    ['picture', fixture('sea.png'), 'image', 'png', null],
    ['lyrics', lyrics, 'text', 'lrc', null],
    ['words', Buffer.from('La mer'), 'text', 'txt', null],
  ])('is known by its bytes: %s', async (_what, bytes, want, extension, seconds) => {
    const known = await seen(bytes, want);
    expect(known).toEqual({ extension, facts: { seconds: want === 'audio' ? expect.any(Number) : seconds } });
  });

  it('reports its length, whatever tags it has', async () => {
    const silence = Buffer.alloc(72);
    silence.set([0xff, 0xe3, 0x18, 0xc4]);
    const tag = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 1, 2, ...Buffer.alloc(130)]);
    const sound = Buffer.concat([tag, ...Array.from({ length: 100 }, () => silence)]);
    expect((await seen(sound, 'audio'))?.facts?.seconds).toBeCloseTo(7.2, 9);
    const wav = fixture('sea.wav');
    expect((await seen(wav, 'audio'))?.facts?.seconds).toBeCloseTo((wav.length - 44) / 8000, 9);
    expect((await seen(sound.subarray(0, -1), 'audio'))?.facts).toBeNull();
    const end = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)]);
    // Speech servers put two tags before it, and join parts with all that is around each.
    for (const odd of [
      [tag, sound],
      [sound, sound],
      [sound, end, Buffer.alloc(40), sound],
    ]) {
      const length = odd.filter((part) => part === sound).length * 7.2;
      expect((await seen(Buffer.concat(odd), 'audio'))?.facts?.seconds).toBeCloseTo(length, 9);
    }
    expect((await seen(Buffer.concat([sound, tag.subarray(0, -1)]), 'audio'))?.facts).toBeNull();
  });

  // OpenAI's speech, ElevenLabs, MiniMax and others send a header written before the length was known.
  it.each([0, 2_000_000_000, 0x7fff_ffff, 0xffff_ffff])(
    'of samples has a length where its header states %i bytes',
    async (size) => {
      const wav = Buffer.from(fixture('sea.wav'));
      wav.writeUInt32LE(size === 0 ? 0 : 0xffff_ffff, 4);
      wav.writeUInt32LE(size, 40);
      const seconds = (wav.length - 44) / 8000;
      expect((await seen(wav, 'audio'))?.facts?.seconds).toBeCloseTo(seconds, 9);
      expect((await seen(wav.subarray(0, 44), 'audio'))?.facts).toBeNull();
    },
  );

  it.each([
    [0, 2500, 2.5],
    [1500, 2500, 1.5],
    [0, 0, null],
  ])(
    'of fragments, with %i units in its header and %i in their sum, has a length',
    async (own, stated, is) => {
      expect((await seen(fragmented(own, stated), 'video'))?.facts).toEqual({ seconds: is });
    },
  );

  it.each<[string, Wanted]>([
    ['sea.mp4', 'video'],
    ['sea.wav', 'audio'],
    ['sea.webp', 'image'],
  ])('is nothing when it is cut anywhere: %s', async (name, want) => {
    const bytes = fixture(name);
    for (let length = 0; length < bytes.length; length += 1) {
      expect((await seen(bytes.subarray(0, length), want))?.facts ?? null, `${length} bytes`).toBeNull();
    }
  });

  it.each<[string, Buffer, Wanted]>([
    ['a page for a film', Buffer.from('<!DOCTYPE html><p>expired'), 'video'],
    ['a page for lyrics', Buffer.from('\n <html><body>expired'), 'text'],
    ['a picture for a film', fixture('sea.png'), 'video'],
    ['a film for sound', fixture('sea.mp4'), 'audio'],
    ['nothing', Buffer.alloc(0), 'text'],
    ['a file of another kind for lyrics', fixture('sea.mp4'), 'text'],
  ])('is not what was wanted: %s', async (_what, bytes, want) => {
    expect(await seen(bytes, want)).toBeNull();
  });

  it('is rejected as text when it is not UTF-8', async () => {
    const bytes = Buffer.concat([lyrics, lyrics, lyrics, Buffer.from([0xff, 0xfe])]);
    expect((await seen(bytes, 'text'))?.facts).toBeNull();
  });
});
