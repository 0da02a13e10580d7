import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decoded } from './content-coding.ts';

const text = 'The sea is wide. '.repeat(20);
const whole = gzipSync(text);

async function* of(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** The bytes that were decoded, and the message of the error that ended them, if any. */
async function read(source: AsyncIterable<Uint8Array>, coding = 'gzip'): Promise<[string, string | null]> {
  let out = '';
  try {
    for await (const bytes of decoded(source, coding)) out += bytes.toString();
    return [out, null];
  } catch (error) {
    return [out, (error as Error).message];
  }
}

describe('a body without a coding', () => {
  it.each(['', 'identity'])('passes unchanged with the header %j', async (coding) => {
    expect(await read(of(Buffer.from('a'), Buffer.from('b')), coding)).toEqual(['ab', null]);
  });
});

describe('a gzip body', () => {
  it('is decoded however it is split, with any case of the header', async () => {
    expect(await read(of(whole))).toEqual([text, null]);
    const bytes = [...whole].map((byte) => Buffer.from([byte]));
    expect(await read(of(...bytes), 'GZIP')).toEqual([text, null]);
  });

  it('may have several members', async () => {
    expect(await read(of(whole, gzipSync('More.')))).toEqual([`${text}More.`, null]);
  });

  it('may be empty, as after HEAD', async () => {
    expect(await read(of())).toEqual(['', null]);
  });

  it('is an error when truncated, and keeps the decoded part', async () => {
    expect(await read(of(whole.subarray(0, -4)))).toEqual([
      text,
      expect.stringMatching(/broken: unexpected end/),
    ]);
    expect((await read(of(whole.subarray(0, 4))))[1]).toMatch(/broken: unexpected end/);
  });

  it('is an error when it is not gzip, has a wrong checksum, or has trailing bytes', async () => {
    expect((await read(of(Buffer.from('{"a":1}'))))[1]).toMatch(/broken/);
    const spoilt = Buffer.from(whole);
    spoilt[spoilt.length - 8] = (spoilt[spoilt.length - 8] ?? 0) ^ 1;
    expect((await read(of(spoilt)))[1]).toMatch(/broken/);
    expect((await read(of(whole, Buffer.from('xyz'))))[1]).toMatch(/broken|follow/);
    expect((await read(of(whole, Buffer.from([0x1f]))))[1]).toMatch(/broken|follow/);
  });

  it('releases its source when the reader stops', async () => {
    const source = new PassThrough();
    source.write(whole);
    for await (const _ of decoded(source, 'gzip')) break;
    expect(source.destroyed).toBe(true);
  });
});
