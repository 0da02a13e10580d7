import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StreamPiece } from '../outcome.ts';
import { parseJson } from '../read-answer.ts';
import { ChunkReader } from './stream.ts';
import { TextFrames } from './text-frames.ts';

const contentOf = (frame: unknown): string | null =>
  ((frame as { content?: unknown } | undefined)?.content as string | undefined) ?? null;

function learned(first: string): TextFrames {
  const frames = new TextFrames(contentOf);
  frames.learn(first, parseJson(first));
  return frames;
}

it('reads frames that differ only in their text', () => {
  const frames = learned('{"id":"a","content":"one","n":1}');
  expect(frames.read('{"id":"a","content":"two ä😀","n":1}')).toBe('two ä😀');
});

it('reads frames that differ in their text and in their padding', () => {
  const frames = learned('{"id":"a","content":"one","n":1,"obfuscation":"aB3dE"}');
  expect(frames.read('{"id":"a","content":"two ä😀","n":1,"obfuscation":"aB"}')).toBe('two ä😀');
  expect(frames.read('{"id":"a","content":"two","n":1,"obfuscation":""}')).toBe('two');
});

it.for([
  ['more behind the padding', '{"id":"a","content":"two","n":1,"obfuscation":"aB","n":2}'],
  ['no padding', '{"id":"a","content":"two","n":1}'],
  ['a padding with an escape', '{"id":"a","content":"two","n":1,"obfuscation":"a\n"}'],
  ['a padding that is cut', '{"id":"a","content":"two","n":1,"obfuscation":"a'],
] as const)('leaves a frame with %s to the parser', ([, frame]) => {
  expect(learned('{"id":"a","content":"one","n":1,"obfuscation":"aB3dE"}').read(frame)).toBeNull();
});

it.for([
  ['an escape', '{"id":"a","content":"tw\\n","n":1}'],
  ['a quote that ends it', '{"id":"a","content":"two","more":"x","n":1}'],
  ['another id', '{"id":"b","content":"two","n":1}'],
  ['another end', '{"id":"a","content":"two","n":2}'],
  ['no text', '{"id":"a","content":"","n":1}'],
  ['a raw line feed', '{"id":"a","content":"t\nwo","n":1}'],
  ['less than both ends', '{"id":"a","content":"","n":'],
] as const)('leaves a frame with %s to the parser', ([, frame]) => {
  expect(learned('{"id":"a","content":"one","n":1}').read(frame)).toBeNull();
});

it.for([
  ['the same text elsewhere', '{"content":"one","id":"one"}', '{"content":"one","id":"two"}'],
  ['a key', '{"content":"one","one":1}', '{"content":"one","two":1}'],
  ['a text that is said twice', '{"content":"two","content":"one"}', '{"content":"one","content":"one"}'],
] as const)('does not mistake %s for the text', ([, first, next]) => {
  const read = learned(first).read(next);
  expect(read === null || read === contentOf(JSON.parse(next))).toBe(true);
});

const texts = fc.oneof(
  fc.constantFrom('one', 'two', 'stop', '', '"', '\\', 'content', 'a text of our own'),
  fc.string({ unit: 'grapheme' }),
);
const json = (value: unknown): string => JSON.stringify(value);
const maybe = (member: string, values: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: values.map((value) => `,"${member}":${json(value)}`) },
  );
const members = {
  id: fc.constantFrom('c-1', 'c-2', 'one'),
  text: texts,
  reason: maybe('finish_reason', fc.constantFrom(null, '', 'stop', 'length', 'error', 'one')),
  usage: maybe('usage', fc.constantFrom(null, 5, {}, { prompt_tokens: 3, completion_tokens: 1 })),
  refusal: maybe('refusal', fc.constantFrom(null, '', 'one')),
  calls: maybe('tool_calls', fc.constantFrom(null, [], 5, [{ index: 0, id: 'x', function: { name: 'f' } }])),
  twice: maybe('content', fc.oneof(texts, fc.constantFrom(null, 5, [{ type: 'text', text: 'one' }]))),
  index: fc.constantFrom(0, 0, 0, 1),
  error: maybe('error', fc.constantFrom(null, { message: 'one' })),
  padding: maybe('obfuscation', fc.constantFrom('aB3', 'x', '', 'one', 'a b', 5)),
  blank: fc.constantFrom('', '', ' '),
};
const frame = fc
  .record(members)
  .map(
    ({ id, text, reason, usage, refusal, calls, twice, index, error, padding, blank }) =>
      `{"id":${json(id)},"choices":[{"index":${index},"delta":{"content":${json(text)}${twice}${refusal}${calls}}${reason}}]${usage}${error}${padding}}${blank}`,
  );

it('gives the same result as the parser for any stream', () => {
  fc.assert(
    fc.property(fc.array(frame, { minLength: 2, maxLength: 12 }), (frames) => {
      // Events with a name are always parsed.
      const [quick, parsed] = ['', 'message'].map((name) => {
        const reader = new ChunkReader(() => 'call_1');
        const pieces: StreamPiece[] = [];
        const steps = frames.map((data) => reader.take({ name, data }, pieces));
        const end = reader.ended(pieces);
        return { pieces, steps, end, usage: reader.usage(), isEnded: reader.end.isCredible };
      });
      expect(quick).toEqual(parsed);
    }),
    { numRuns: 3_000 },
  );
});
