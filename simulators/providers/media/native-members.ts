import { z } from 'zod';
import { renderPath } from '../../json/issue.ts';
import { isObject, valueAt } from '../../json/json-body.ts';

/** The request members of one native model, each with its schema. All others are rejected. */
export type NativeMembers = Readonly<Record<string, z.ZodType>>;

/** The first invalid field of a request. */
export interface MemberFault {
  readonly member: string | null;
  readonly why: 'unknown' | 'missing' | 'wrong-type' | 'wrong-value';
  readonly message: string;
}

/**
 * Checks an object against the members of a model; null when it is valid. `at` is the object's path in the
 * request.
 */
export function findMemberFault(
  given: unknown,
  members: NativeMembers,
  at: string[] = [],
): MemberFault | null {
  if (!isObject(given)) {
    const member = at.length === 0 ? null : renderPath(at);
    return { member, why: 'wrong-type', message: 'an object is expected here' };
  }
  const [issue] = schemaOf(members).safeParse(given).error?.issues ?? [];
  if (issue === undefined) return null;
  if (issue.code === 'unrecognized_keys') {
    const member = renderPath([...at, ...issue.keys.slice(0, 1)]);
    return { member, why: 'unknown', message: `there is no parameter '${member}' for this model` };
  }
  const member = renderPath([...at, ...issue.path]);
  if (issue.path.length === 1 && valueAt(given, issue.path) === undefined) {
    return { member, why: 'missing', message: `the parameter '${member}' is required` };
  }
  const why = issue.code === 'invalid_type' ? 'wrong-type' : 'wrong-value';
  return { member, why, message: `'${member}': ${issue.message}` };
}

/** Each schema is built once per model: building one costs more than using it. */
const schemas = new WeakMap<NativeMembers, z.ZodType>();

function schemaOf(members: NativeMembers): z.ZodType {
  const known = schemas.get(members);
  if (known !== undefined) return known;
  const schema = z.strictObject(members);
  schemas.set(members, schema);
  return schema;
}

/** A non-empty string. */
export function text(max = 10_000): z.ZodString {
  return z.string().min(1).max(max);
}

/** A URL to fetch. */
export const link: z.ZodString = z.string().regex(/^https?:\/\/[^\s/]+/i, 'expected a URL');

/** A URL to fetch, or the data itself. */
export const linkOrData: z.ZodString = z
  .string()
  .regex(/^(?:https?:\/\/[^\s/]+|data:[\w.+/-]+;base64,)/i, 'expected a URL or a data URI');

/** A ratio `a:b` of whole numbers. */
export const ratio: z.ZodString = z
  .string()
  .regex(/^[1-9]\d{0,3}:[1-9]\d{0,3}$/, 'expected a ratio as in 4:3');

export function oneOf<T extends string | number>(...values: readonly T[]): z.ZodLiteral<T> {
  return z.literal([...values]);
}

export const flag: z.ZodBoolean = z.boolean();

export const seed: z.ZodInt = z.int();
