import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { chatDialectNames, type NativeAnswer } from '../answers/native-answer.ts';
import type { VariantFacts } from '../control/protocol.ts';
import { providerForms } from '../faults/native/chat-calls.ts';
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
  calls: z.enum(providerForms).exactOptional(),
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

type Variant = VariantFacts & { readonly is: Variation };

/** Every variant by name. */
const variants: ReadonlyMap<string, Variant> = load();

function load(): ReadonlyMap<string, Variant> {
  const file = new URL('../../fixtures/variants.json', import.meta.url);
  const parsed = variantsSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (parsed.success) return new Map(parsed.data.map((variant) => [variant.name, variant]));
  const { path: place, message } = describeIssue(parsed.error);
  throw new Error(`variants.json: ${place ?? ''}: ${message}`);
}

/** The facts of every variant. */
export const variantFacts: readonly VariantFacts[] = [...variants.values()].map(
  ({ is: _, ...facts }) => facts,
);

/** The error for unknown variants; null if all are known. */
export function refuseVariants(names: readonly string[]): string | null {
  const unknown = names.find((name) => !variants.has(name));
  return unknown === undefined ? null : `there is no variant ${unknown}; GET /variants lists all`;
}

/** Why a variant cannot apply to a call of the dialect; null if it can. */
export function variantMisfit(name: string, dialect: string): string | null {
  const own = variants.get(name)?.dialect;
  return own === undefined || own === dialect ? null : `${name} is a variant of ${own}`;
}

/** The names that belong to variants of the dialect. */
export function variantsOf(names: readonly string[], dialect: string): string[] {
  return names.filter((name) => variants.get(name)?.dialect === dialect);
}

/** An answer as these variants of its dialect send it. */
export function asVariants(given: NativeAnswer, names: readonly string[]): NativeAnswer {
  const frames = names
    .flatMap((name) => variants.get(name) ?? [])
    .reduce((open, { is }) => vary(open, given, is), openAnswer(given));
  return closeAnswer(given, frames);
}
