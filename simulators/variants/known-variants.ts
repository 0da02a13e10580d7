import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isChatDialect, type NativeAnswer, variedDialectNames } from '../answers/native-answer.ts';
import type { VariantFacts } from '../control/protocol.ts';
import { providerForms } from '../faults/native/chat-calls.ts';
import { closeAnswer, type OpenFrame, openAnswer } from '../faults/native/open-answer.ts';
import { sumPattern } from '../faults/native/usage-sums.ts';
import { type Variation, vary } from '../faults/native/vary.ts';
import { describeIssue } from '../json/issue.ts';
import { jsonType } from '../providers/generate-content/errors.ts';
import { type LimitForm, withLimitForm } from './limit-forms.ts';
import { type MediaForm, mediaFormSchema, withMediaForm } from './media-form.ts';

const path = z.string().min(1);

/** A variation of an answer, of the framing of its stream, of the refusal for a limit, or of media. */
type WholeVariation = Variation & {
  readonly framing?: 'elements' | 'end-mark' | 'field-twice';
  readonly limit?: LimitForm;
  readonly media?: MediaForm;
};

const variationSchema: z.ZodType<WholeVariation> = z.strictObject({
  usage: z
    .strictObject({
      counts: z.record(path, z.string().regex(sumPattern)).exactOptional(),
      at: path.exactOptional(),
      on: z.literal('finish').exactOptional(),
      before: z.enum(['null', 'zero']).exactOptional(),
      zero: z.enum(['start', 'end']).exactOptional(),
      parts: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  end: z
    .strictObject({
      word: z.string().nullable().exactOptional(),
      pending: z.enum(['empty', 'absent']).exactOptional(),
      early: z.enum(['first', 'every', 'behind-every']).exactOptional(),
      numbers: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  choice: z.enum(['one', 'counting']).exactOptional(),
  names: z.literal('snake').exactOptional(),
  nulls: z.array(path).exactOptional(),
  renamed: z.record(path, path).exactOptional(),
  extra: z
    .strictObject({
      at: z.enum(['start', 'middle', 'end']),
      data: z.union([z.record(z.string(), z.unknown()), z.string()]).nullable(),
    })
    .exactOptional(),
  text: z.enum(['so-far', 'parts']).exactOptional(),
  calls: z.enum(providerForms).exactOptional(),
  framing: z.enum(['elements', 'end-mark', 'field-twice']).exactOptional(),
  limit: z
    .strictObject({
      headers: z.record(path, z.string()).exactOptional(),
      error: z.record(path, z.unknown()).exactOptional(),
    })
    .exactOptional(),
  media: mediaFormSchema.exactOptional(),
});

const variantsSchema = z.array(
  z.strictObject({
    name: z.string().regex(/^[a-z0-9-]+$/),
    dialect: z.enum(variedDialectNames),
    about: z.string(),
    source: z.url({ protocol: /^https$/ }),
    on: z.iso.date(),
    is: variationSchema,
  }),
);

type Variant = VariantFacts & { readonly is: WholeVariation };

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

/** Whether a variant changes the refusal for a limit. */
export function variesLimit(name: string): boolean {
  return variants.get(name)?.is.limit !== undefined;
}

/** Why a variant cannot apply to a call of the dialect; null if it can. */
export function variantMisfit(name: string, dialect: string): string | null {
  const own = variants.get(name)?.dialect;
  if (own !== undefined && own !== dialect) return `${name} is a variant of ${own}`;
  const isOfJobs = own === 'jobs' || own === 'callback-jobs';
  return isOfJobs ? `${name} also concerns polls: script it in the settings of the tenant` : null;
}

/** The names that belong to variants of the dialect. */
export function variantsOf(names: readonly string[], dialect: string): string[] {
  return names.filter((name) => variants.get(name)?.dialect === dialect);
}

/** An answer as these variants of its dialect send it. */
export function asVariants(given: NativeAnswer, names: readonly string[]): NativeAnswer {
  const forms = formsOf(names);
  if (!isChatDialect(given.dialect))
    return forms.reduce(
      (answer, { media }) => (media === undefined ? answer : withMediaForm(answer, media)),
      given,
    );
  const frames = forms.reduce((open, is) => vary(open, given, is), openAnswer(given));
  const isFramed = (as: WholeVariation['framing']): boolean => forms.some(({ framing }) => framing === as);
  if (given.call === 'plain' && isFramed('end-mark')) return withEndMark(closeAnswer(given, frames));
  if (given.call === 'stream' && isFramed('field-twice')) return closeAnswer(given, withFieldTwice(frames));
  if (given.call !== 'stream' || !isFramed('elements')) return closeAnswer(given, frames);
  const headers = { ...given.headers, 'content-type': jsonType };
  return closeAnswer({ ...given, headers }, frames, 'elements');
}

/** Events with the name of their field before the data once more. */
function withFieldTwice(frames: readonly OpenFrame[]): OpenFrame[] {
  return frames.map(({ events, ...frame }) => ({
    ...frame,
    events: events.map((event) => ({ ...event, field: 'data: data' })),
  }));
}

/** A whole answer under the content type of a stream, and with its end mark. */
function withEndMark(given: NativeAnswer): NativeAnswer {
  const headers = { ...given.headers, 'content-type': 'text/event-stream' };
  const last = given.frames.length - 1;
  const frames = given.frames.map((frame, at) =>
    at === last
      ? { ...frame, bytes: Buffer.concat([frame.bytes, Buffer.from('\n\ndata: [DONE]\n\n')]) }
      : frame,
  );
  return { ...given, headers, frames };
}

/** A provider's own refusal as these variants send it: only that for a limit differs. */
export function refusalAsVariants(
  given: NativeAnswer,
  names: readonly string[],
  nowMs: number,
): NativeAnswer {
  if (given.status !== 429) return given;
  return formsOf(names).reduce(
    (answer, { limit }) => (limit === undefined ? answer : withLimitForm(answer, limit, nowMs)),
    given,
  );
}

function formsOf(names: readonly string[]): readonly WholeVariation[] {
  return names.flatMap((name) => variants.get(name)?.is ?? []);
}
