import { z } from 'zod';

// What the fields of media models are made of. Nothing is coerced: a text is no number and a number no flag (B-07).

/** Longest prompt of a picture, in characters: code points, not bytes and not UTF-16 units (B-51). */
const maxPrompt = 4000;
/** Longest text of the other models, where the specification states no limit: a limit all the same. */
const maxText = 100_000;
const int64 = 2 ** 63;

export const text = z.string('must be a string');
export const flag = z.boolean('must be true or false');
const number = z.number('must be a number');
const integer = number.refine(Number.isInteger, 'must be an integer').meta({ type: 'integer' });

/** A text of so many characters at most. */
function textUpTo(max: number) {
  return text
    .refine((value) => isWithin(value, max), `must have at most ${max} characters`)
    .meta({ maxLength: max });
}

/** One that says something. */
function sayingUpTo(max: number) {
  return textUpTo(max).min(1, 'must not be empty');
}

export const imagePrompt = sayingUpTo(maxPrompt);
export const longText = sayingUpTo(maxText);
/** The words of a song, which may have none. */
export const lyrics = textUpTo(maxText);
/** The id of something that an upstream knows: a voice, a style, a persona. */
export const upstreamId = sayingUpTo(512);
/** The id of a task; which there are is looked up later. */
export const taskId = text.min(1, 'must not be empty');

export const seed = integer.min(-int64, 'must fit 64 bits').max(int64, 'must fit 64 bits').nullish();

export function intFrom(min: number, max: number) {
  const rule = `must be from ${min} to ${max}`;
  return integer.min(min, rule).max(max, rule);
}

export function numberFrom(min: number, max: number) {
  const rule = `must be from ${min} to ${max}`;
  return number.min(min, rule).max(max, rule);
}

/** One of a few texts, spelled exactly so. */
export function oneOf<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return z.enum(values, `must be ${listed(values)}`);
}

/** One of a few whole numbers. */
export function oneInt<const Values extends readonly [number, ...number[]]>(...values: Values) {
  return z.literal([...values], `must be ${listed(values)}`);
}

/** A field that may be left out, or null, which is the same; it has this value then. */
export function withDefault<Field extends z.ZodType>(field: Field, value: NoInfer<z.output<Field>>) {
  return field
    .nullish()
    .meta({ default: value })
    .transform((given) => given ?? value);
}

function listed(values: readonly (string | number)[]): string {
  if (values.length === 1) return String(values[0]);
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

function isWithin(value: string, max: number): boolean {
  return value.length <= max || (value.length <= 2 * max && [...value].length <= max);
}
