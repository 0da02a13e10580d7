import { expect, test } from 'vitest';
import { readSse } from '../wire/sse.ts';
import { hardPlaces, splitBefore } from './split-stream.ts';

const stream = Buffer.from('data: {"text":"aé🌊"}\r\n\r\ndata: [DONE]\n\n');

test('wherever a stream is split, its halves meet at that byte and its events stay the same', () => {
  const events = readSse(stream).events.map((event) => event.data);
  for (let place = 1; place < stream.length; place += 1) {
    const body = Buffer.from(String(splitBefore(stream, place).body));
    const middle = Math.floor(body.length / 2);
    expect(body.subarray(middle).indexOf(stream.subarray(place))).toBe(0);
    expect(readSse(body).events.map((event) => event.data)).toEqual(events);
    expect(readSse(body).faults).toEqual([]);
  }
});

test('hard places are those inside characters and around line ends', () => {
  const text = stream.toString('latin1');
  const places = hardPlaces(stream).map((place) => `${text[place - 1]}|${text[place]}`);
  expect(places).toContain('\r|\n');
  expect(places).toContain('\n|d');
  expect(places.filter((place) => /[\x80-\xbf]$/.test(place))).toHaveLength(4);
});
