import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadClientFrame, ClientFrames, type ClientUnit } from './client-frames.ts';

const startup = Buffer.concat([int32(8 + 5), int32(196608), Buffer.from('user\0')]);

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function message(type: string, body: Uint8Array = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function readAll(chunks: readonly Buffer[]): ClientUnit[] {
  const frames = new ClientFrames();
  return chunks.flatMap((chunk) => {
    frames.push(chunk);
    const units: ClientUnit[] = [];
    for (let unit = frames.next(); unit !== null; unit = frames.next()) {
      units.push(unit);
    }
    return units;
  });
}

describe('ClientFrames', () => {
  it('groups the messages of one statement up to the Sync', () => {
    const sequence = Buffer.concat([
      message('P', Buffer.from('a')),
      message('B'),
      message('E'),
      message('S'),
    ]);
    const query = message('Q', Buffer.from('select 1\0'));
    expect(readAll([Buffer.concat([startup, sequence, query])])).toEqual([
      { kind: 'messages', bytes: Uint8Array.from(startup), closesSequence: true },
      { kind: 'messages', bytes: Uint8Array.from(sequence), closesSequence: true },
      { kind: 'messages', bytes: Uint8Array.from(query), closesSequence: true },
    ]);
  });

  it('passes on a flushed part of a statement without ending the sequence', () => {
    const part = Buffer.concat([message('P'), message('H')]);
    expect(readAll([startup, part]).at(-1)).toEqual({
      kind: 'messages',
      bytes: Uint8Array.from(part),
      closesSequence: false,
    });
  });

  it('recognizes encryption requests, cancel requests and Terminate', () => {
    const ssl = Buffer.concat([int32(8), int32(80877103)]);
    const cancel = Buffer.concat([int32(16), int32(80877102), int32(1), int32(2)]);
    expect(readAll([ssl, startup, message('X')]).map((unit) => unit.kind)).toEqual([
      'encryption-request',
      'messages',
      'goodbye',
    ]);
    expect(readAll([cancel]).map((unit) => unit.kind)).toEqual(['goodbye']);
  });

  it('returns the same units for any split of the bytes', () => {
    const part = fc.tuple(
      fc.constantFrom('P', 'B', 'D', 'E', 'S', 'Q', 'H'),
      fc.uint8Array({ maxLength: 40 }),
    );
    const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), cuts, (parts, at) => {
        const bytes = Buffer.concat([startup, ...parts.map(([type, body]) => message(type, body))]);
        const edges = [0, ...at.filter((edge) => edge < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index] ?? 0, end));
        expect(readAll(chunks)).toEqual(readAll([bytes]));
      }),
      { seed: 7 },
    );
  });

  it.each([
    ['an unknown protocol version', Buffer.concat([int32(8), int32(7)])],
    ['a start-up message shorter than its head', int32(4)],
    ['a message length below its own four bytes', Buffer.concat([startup, Buffer.from('Q'), int32(3)])],
    ['a message over the limit', Buffer.concat([startup, Buffer.from('Q'), int32(1 << 30)])],
  ])('refuses %s', (_what, bytes) => {
    expect(() => readAll([bytes])).toThrow(BadClientFrame);
  });
});
