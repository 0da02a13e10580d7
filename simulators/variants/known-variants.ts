import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type ChatDialectName, chatDialectNames, type NativeAnswer } from '../answers/native-answer.ts';
import { closeAnswer, openAnswer } from '../faults/native/open-answer.ts';
import { sumPattern } from '../faults/native/usage-sums.ts';
import { type Variation, vary } from '../faults/native/vary.ts';
import { describeIssue } from '../json/issue.ts';

const path = z.string().min(1);

const variationSchema: z.ZodType<Variation> = z.strictObject({
  usage: z
    .strictObject({
      counts: z.record(path, z.string().regex(sumPattern)).exactOptional(),
      at: path.exactOptional(),
      on: z.literal('finish').exactOptional(),
      before: z.enum(['null', 'zero']).exactOptional(),
      zero: z.enum(['start', 'end']).exactOptional(),
    })
    .exactOptional(),
  end: z
    .strictObject({
      word: z.string().nullable().exactOptional(),
      pending: z.enum(['empty', 'absent']).exactOptional(),
      early: z.enum(['first', 'every']).exactOptional(),
    })
    .exactOptional(),
  nulls: z.array(path).exactOptional(),
  renamed: z.record(path, path).exactOptional(),
  extra: z
    .strictObject({
      at: z.enum(['start', 'middle', 'end']),
      data: z.record(z.string(), z.unknown()).nullable(),
    })
    .exactOptional(),
  splitCalls: z.boolean().exactOptional(),
});

const variantsSchema = z.array(
  z.strictObject({
    name: z.string().regex(/^[a-z0-9-]+$/),
    dialect: z.enum(chatDialectNames),
    about: z.string(),
    source: z.url({ protocol: /^https$/ }),
    on: z.iso.date(),
    is: variationSchema,
  }),
);

/** A provider, or a version of one, that differs from the others of its dialect: how, by whose word, and when. */
export type Variant = z.infer<typeof variantsSchema>[number];

/** Every variant by name. */
export const variants: ReadonlyMap<string, Variant> = load();

function load(): ReadonlyMap<string, Variant> {
  const file = new URL('../../fixtures/variants.json', import.meta.url);
  const parsed = variantsSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (parsed.success) return new Map(parsed.data.map((variant) => [variant.name, variant]));
  const { path: place, message } = describeIssue(parsed.error);
  throw new Error(`variants.json: ${place ?? ''}: ${message}`);
}

/** The variants of the names that are of the dialect. */
export function variantsOf(names: readonly string[], dialect: string): readonly Variant[] {
  return names.flatMap((name) => variants.get(name) ?? []).filter((variant) => variant.dialect === dialect);
}

/** An answer as these variants of its dialect send it. */
export function asVariants(given: NativeAnswer, among: readonly Variant[]): NativeAnswer {
  const frames = among.reduce(
    (open, { is, dialect }) => vary(open, { dialect, call: given.call }, is),
    openAnswer(given),
  );
  return among.length === 0 ? given : closeAnswer(given, frames);
}

/** Why a script cannot name the variant for a call of the dialect; null when it can. */
export function variantMisfit(name: string, dialect: string): string | null {
  const variant = variants.get(name);
  if (variant === undefined) return `there is no variant ${name}; GET /variants lists those there are`;
  const { dialect: own } = variant;
  return own === dialect ? null : `the variant ${name} is one of ${own satisfies ChatDialectName}`;
}
