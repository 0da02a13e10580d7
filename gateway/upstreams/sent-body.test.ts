import { expect, it } from 'vitest';
import { sentBody } from './sent-body.ts';

const size = 256 * 1024;

it('sends a small text unchanged', () => {
  expect(sentBody('{"a":1}')).toEqual({ body: '{"a":1}', bytes: null });
});

it.for<[string, string]>([
  ['one byte each', 'x'.repeat(3 * size + 5)],
  ['three bytes each', '漢'.repeat(size + 1)],
  ['pairs at each place', '😀'.repeat(size)],
  ['pairs behind an odd letter', `x${'😀'.repeat(size)}`],
  ['halves alone', '\ud83d'.repeat(size + 3)],
])('sends a large text in pieces that make the same bytes: letters of %s', ([, text]) => {
  const { body, bytes } = sentBody(text);
  const pieces = [...(body as Iterable<Buffer>)];
  expect(pieces.length).toBeGreaterThan(1);
  const whole = Buffer.from(text);
  expect(Buffer.concat(pieces).equals(whole)).toBe(true);
  expect(bytes).toBe(whole.length);
});
