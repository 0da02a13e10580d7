import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunksOf } from '../answers/wire-form.ts';
import { SentText } from './sent-text.ts';

const texts = fc.array(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })), { maxLength: 6 });

it('has the wire bytes of its frames, and returns the same frames', () => {
  fc.assert(
    fc.property(texts, fc.boolean(), (given, isChunked) => {
      const frames = given.map((text, k) => ({ label: `delta-${k}`, text: text.toWellFormed(), dueMs: 0 }));
      const parts = frames.map(({ text }) => ({ bytes: Buffer.from(text) }));
      const body = Buffer.concat(parts.map(({ bytes }) => bytes));
      const sent = new SentText(frames, isChunked, { startMs: 1, atMs: 2 });
      expect(sent.wire).toEqual(isChunked ? chunksOf(parts, true) : body);
      expect(sent.body).toEqual(body);
      expect(sent.bytes).toBe(body.length);
      expect(sent.sends.slice(1)).toEqual(
        frames.map(({ label }, k) => ({
          ...{ label, intended_ms: 1, actual_ms: 2 },
          bytes: parts[k]?.bytes.length,
        })),
      );
    }),
  );
});
