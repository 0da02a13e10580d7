import { z } from 'zod';
import { recordedEnds } from './recorded.ts';

const atMs = z.number().nonnegative().max(1e10);

const text = z.string();
const base64 = z.base64();

/** Bytes, as text or as base64. */
export const bytesSchema = z.union([z.strictObject({ text }), z.strictObject({ base64 })], {
  error: 'expected either text or base64',
});

const chunkSchema = z.union(
  [z.strictObject({ at_ms: atMs, text }), z.strictObject({ at_ms: atMs, base64 })],
  { error: 'expected at_ms and either text or base64' },
);

/** An answer as it was on the wire. */
export const responseSchema = z
  .strictObject({
    chunks: z.array(chunkSchema),
    ended: z.enum(recordedEnds),
    ended_at_ms: atMs,
  })
  .superRefine(({ chunks, ended_at_ms: endedAtMs }, context) => {
    for (const [at, { at_ms: dueMs }] of chunks.entries()) {
      const before = chunks[at - 1]?.at_ms ?? 0;
      if (dueMs >= before) continue;
      const path = ['chunks', at, 'at_ms'];
      context.addIssue({
        code: 'custom',
        path,
        message: `lies before the chunk that comes first, at ${before}`,
      });
    }
    const last = chunks.at(-1)?.at_ms ?? 0;
    if (endedAtMs >= last) return;
    const message = `lies before the last chunk, at ${last}`;
    context.addIssue({ code: 'custom', path: ['ended_at_ms'], message });
  });
