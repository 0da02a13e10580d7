import { expect, it } from 'vitest';
import { LastBodies } from './last-bodies.ts';

/** Makes a text of a body, and tells how often it did. */
function counting(): { bodies: LastBodies<{ readonly text: string }>; made: () => number } {
  let made = 0;
  const bodies = new LastBodies((body) => {
    made += 1;
    return { text: body.toString('utf8') };
  });
  return { bodies, made: () => made };
}

it('makes something of a body once, however often it comes', () => {
  const { bodies, made } = counting();
  const first = bodies.of(Buffer.from('{"a":"ü"}'));
  expect(bodies.of(Buffer.from('{"a":"ü"}'))).toBe(first);
  expect(first.text).toBe('{"a":"ü"}');
  expect(made()).toBe(1);
});

it('tells bodies apart that are no valid UTF-8', () => {
  const { bodies, made } = counting();
  const all = [[0xff], [0xfe], [0xc3], [0xc3, 0xbc], [0xfc]].map((bytes) => bodies.of(Buffer.from(bytes)));
  expect(new Set(all).size).toBe(all.length);
  expect(made()).toBe(all.length);
});

it('holds neither more than the last 64 nor what is large', () => {
  const { bodies, made } = counting();
  const large = Buffer.alloc(32 * 1024 + 1, 'x');
  for (let at = 0; at < 2; at += 1) bodies.of(large);
  expect(made()).toBe(2);
  for (let at = 0; at <= 64; at += 1) bodies.of(Buffer.from(`body ${at}`));
  expect(made()).toBe(2 + 65);
  bodies.of(Buffer.from('body 64'));
  expect(made()).toBe(2 + 65);
  bodies.of(Buffer.from('body 0'));
  expect(made()).toBe(2 + 66);
});
