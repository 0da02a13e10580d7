import type { Summary } from './report.ts';

/** Common parts of the report schemas. */

/** A JSON Schema or a part of one. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

export const text: Schema = { type: 'string' };
export const name: Schema = { type: 'string', minLength: 1 };
export const count: Schema = { type: 'integer', minimum: 0 };
export const milliseconds: Schema = { type: 'number', minimum: 0 };
export const textOrNull: Schema = { type: ['string', 'null'] };
export const texts = listOf(text);
export const instant: Schema = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$',
};

/** A closed object. Its type argument turns every difference between type and schema members into a type error. */
export function shapeOf<T extends object>(
  properties: { [K in keyof Required<T>]: Schema },
  optional: readonly (keyof T & string)[] = [],
): Schema {
  const required = Object.keys(properties).filter((key) => !optional.some((other) => other === key));
  return { type: 'object', properties, required, additionalProperties: false };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

export function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

/** Counts of checks by verdict. */
export const summaryShape: Schema = shapeOf<Summary>({
  passed: count,
  failed: count,
  warned: count,
  observed: count,
  not_applicable: count,
  untestable: count,
  waived: count,
  errors: count,
  flaky: count,
  cases: count,
  exchanges: count,
});
