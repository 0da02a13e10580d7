import { z } from 'zod';

// Building blocks for the fields of media models. Nothing is coerced: a string is not a number (B-07).

/** Maximum length of an image prompt in characters: code points, not bytes or UTF-16 units (B-51). */
const maxPrompt = 4000;
/** Maximum text length for the other models: the specification states none, but there must be one. */
const maxText = 100_000;
const int64 = 2 ** 63;

export const text = z.string('must be a string');
export const flag = z.boolean('must be true or false');
const number = z.number('must be a number');
const integer = number.refine(Number.isInteger, 'must be an integer').meta({ type: 'integer' });

/** A text of at most this many characters. */
function textUpTo(max: number) {
  return text
    .refine((value) => isWithin(value, max), `must have at most ${max} characters`)
    .meta({ maxLength: max });
}

/** A text of at most this many characters that is not empty. */
function sayingUpTo(max: number) {
  return textUpTo(max).min(1, 'must not be empty');
}

export const imagePrompt = sayingUpTo(maxPrompt);
export const longText = sayingUpTo(maxText);
/** The lyrics of a song, which may be empty. */
export const lyrics = textUpTo(maxText);
/** The id of something at an upstream: a voice, a style, a persona. */
export const upstreamId = sayingUpTo(512);
/** The id of a task; whether it exists is checked later. */
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

/** One of several exact strings. */
export function oneOf<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return z.enum(values, `must be ${listed(values)}`);
}

/** One of several integers. */
export function oneInt<const Values extends readonly [number, ...number[]]>(...values: Values) {
  return z.literal([...values], `must be ${listed(values)}`);
}

/** An optional field; missing and null both mean this default. */
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
