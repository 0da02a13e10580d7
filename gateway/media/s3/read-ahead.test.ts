import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createReadAhead } from './read-ahead.ts';

const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * 7) % 251));

function reading(): { read: ReturnType<typeof createReadAhead>; asked: number[] } {
  const asked: number[] = [];
  const read = createReadAhead(bytes.length, async (at, length) => {
    if (at + length > bytes.length || length <= 0) throw new Error(`no bytes at ${at}, ${length}`);
    asked.push(length);
    return bytes.subarray(at, at + length);
  });
  return { read, asked };
}

it('returns the right bytes in whatever order they are read', async () => {
  const place = fc.tuple(fc.nat(bytes.length), fc.oneof(fc.nat(100), fc.nat(1_500_000)));
  await fc.assert(
    fc.asyncProperty(fc.array(place, { maxLength: 20 }), async (places) => {
      const { read } = reading();
      for (const [at, length] of places)
        expect((await read(at, length)).equals(bytes.subarray(at, at + length))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it('requests more and more bytes for sequential reads, and few after a jump', async () => {
  const { read, asked } = reading();
  for (let at = 0; at < bytes.length; at += 65_536) await read(at, 65_536);
  expect(asked.slice(0, 5)).toEqual([65_536, 131_072, 262_144, 524_288, 1_048_576]);
  expect(asked).toHaveLength(6);
  await read(10, 16);
  await read(30, 16);
  expect(asked.slice(6)).toEqual([65_536]);
});
