import { z } from 'zod';
import { wireEnds } from '../answers/wire-program.ts';
import type { Script, SettingsGiven } from '../control/protocol.ts';
import { type BadValue, describeIssue, inPlainWords } from '../json/issue.ts';
import { isObject } from '../json/json-body.ts';
import { matchSchema } from './match-schema.ts';
import { replySchema, variantSchema } from './reply-schema.ts';

type ParsedScript = { ok: true; script: Script } | { ok: false; bad: BadValue };

/** Reads a script from parsed JSON. Unknown members are rejected, because a misspelt one would be a silent default. */
export function parseScript(value: unknown): ParsedScript {
  const parsed = scriptSchema.safeParse(value, inPlainWords);
  return parsed.success ? { ok: true, script: parsed.data } : { ok: false, bad: describeIssue(parsed.error) };
}

/** A script. Unknown members are rejected. `reply` may replace a list of one reply. */
export const scriptSchema: z.ZodType<Script> = z.preprocess(
  withReplies,
  z.strictObject({
    name: z.string().min(1).max(200).exactOptional(),
    match: matchSchema.exactOptional(),
    marker: z.string().min(1).exactOptional(),
    channel: z.string().min(1).exactOptional(),
    replies: z
      .array(replySchema, {
        error: ({ input }) => (input === undefined ? 'give reply, or replies' : undefined),
      })
      .min(1),
    // biome-ignore lint/suspicious/noThenProperty: a word of the control API; its value is never a function.
    then: z.enum(['repeat', 'default', 'next']).exactOptional(),
    optional: z.boolean().exactOptional(),
    reused: z.enum(wireEnds).exactOptional(),
  }),
);

/**
 * A file of scripts, and of captures that answer matching requests. Unknown members are rejected. The first script that
 * matches answers.
 */
export const scriptFileSchema = z.strictObject({
  $schema: z.string().exactOptional(),
  scripts: z.array(scriptSchema).max(10_000).exactOptional(),
  captures: z
    .array(
      z.strictObject({
        file: z.string().min(1).max(4096),
        speed: z.number().gt(0).max(1e6).exactOptional(),
      }),
    )
    .max(1000)
    .exactOptional(),
});

/** The settings of a tenant. Unknown members are rejected. */
export const settingsSchema: z.ZodType<SettingsGiven> = z.strictObject({
  strict: z.boolean().exactOptional(),
  strict_models: z.boolean().exactOptional(),
  variants: z.array(variantSchema).max(100).exactOptional(),
});

function withReplies(given: unknown): unknown {
  if (!isObject(given) || !('reply' in given) || 'replies' in given) return given;
  const { reply, ...rest } = given;
  return { ...rest, replies: [reply] };
}
