import { expect, test } from 'vitest';
import { readSse } from '../wire/sse.ts';
import { cutBefore, hardPlaces, placesApart, splitBefore } from './split-stream.ts';

const stream = Buffer.from('data: {"text":"aé🌊"}\r\n\r\ndata: [DONE]\n\n');

test('splits a stream at the given byte and keeps its events', () => {
  const events = readSse(stream).events.map((event) => event.data);
  for (let place = 1; place < stream.length; place += 1) {
    const body = Buffer.from(String(splitBefore(stream, place).body));
    const middle = Math.floor(body.length / 2);
    expect(body.subarray(middle).indexOf(stream.subarray(place))).toBe(0);
    expect(readSse(body).events.map((event) => event.data)).toEqual(events);
    expect(readSse(body).faults).toEqual([]);
  }
});

test('sends a stream in pieces cut before several bytes', () => {
  const { chunks = [], ended_at_ms: endedMs = 0 } = cutBefore(stream, [5, 21]).replay ?? {};
  const [head, ...pieces] = chunks.map((chunk) =>
    'base64' in chunk ? Buffer.from(chunk.base64, 'base64') : null,
  );
  expect(head?.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n$/);
  expect(pieces).toEqual([stream.subarray(0, 5), stream.subarray(5, 21), stream.subarray(21)]);
  const times = [...chunks.map((chunk) => chunk.at_ms), endedMs];
  expect(times.slice(1).every((at, index) => at > (times[index] ?? at))).toBe(true);
});

test.each([1, 7, 512])('puts every offset in exactly one set of offsets %i apart', (step) => {
  const sets = placesApart(stream, step);
  const all = Array.from({ length: stream.length - 1 }, (_, index) => index + 1);
  expect(sets.flat().toSorted((a, b) => a - b)).toEqual(all);
  for (const set of sets)
    expect(set.slice(1).every((place, index) => place - (set[index] ?? 0) === step)).toBe(true);
});

test('finds hard places inside characters and around line ends', () => {
  const text = stream.toString('latin1');
  const places = hardPlaces(stream).map((place) => `${text[place - 1]}|${text[place]}`);
  expect(places).toContain('\r|\n');
  expect(places).toContain('\n|d');
  expect(places.filter((place) => /[\x80-\xbf]$/.test(place))).toHaveLength(4);
});
