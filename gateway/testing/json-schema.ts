// biome-ignore lint/suspicious/noExplicitAny: tests look at arbitrary members of a document.
type Json = any;

/** Keywords that describe a schema without constraining values. */
const silent = ['description', 'title', 'default', 'format', 'examples'];

/**
 * Whether a value satisfies a JSON schema (2020-12). Supports only the keywords that the gateway's document uses, and throws
 * at any other, so that none is skipped. References point into `document`.
 */
export function fits(schema: Json, value: unknown, document: Json): boolean {
  if (typeof schema === 'boolean') return schema;
  return Object.entries(schema).every(([keyword, rule]) => {
    if (silent.includes(keyword)) return true;
    const judge = judges[keyword];
    if (judge === undefined) throw new Error(`the keyword ${keyword} is not known here`);
    return judge(rule, value, { schema, document });
  });
}

/** The target of a `$ref` within a document. */
export function resolve(ref: string, document: Json): Json {
  const found = ref
    .replace(/^#\//, '')
    .split('/')
    .reduce((node: Json, name) => node?.[name], document);
  if (found === undefined) throw new Error(`${ref} points at nothing`);
  return found;
}

type Judge = (rule: Json, value: Json, place: { schema: Json; document: Json }) => boolean;

const isObject = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: Json): boolean => typeof value === 'string';
const size = (value: Json): number => Object.keys(value).length;

const typeTests: Readonly<Record<string, (value: Json) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: isText,
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

/** A rule for one type of values accepts values of all other types. */
const judges: Readonly<Record<string, Judge>> = {
  $ref: (ref, value, { document }) => fits(resolve(ref, document), value, document),
  type: (types, value) => [types].flat().some((type) => typeTests[type]?.(value) === true),
  const: (wanted, value) => value === wanted,
  enum: (wanted, value) => wanted.includes(value),
  anyOf: (schemas, value, { document }) => schemas.some((one: Json) => fits(one, value, document)),
  oneOf: (schemas, value, { document }) =>
    schemas.filter((one: Json) => fits(one, value, document)).length === 1,
  allOf: (schemas, value, { document }) => schemas.every((one: Json) => fits(one, value, document)),
  not: (schema, value, { document }) => !fits(schema, value, document),
  required: (names, value) => !isObject(value) || names.every((name: string) => Object.hasOwn(value, name)),
  properties: (properties, value, { document }) =>
    !isObject(value) ||
    Object.entries(properties).every(
      ([name, schema]) => !Object.hasOwn(value, name) || fits(schema, value[name], document),
    ),
  additionalProperties: (rule, value, { schema: { properties = {} }, document }) =>
    !isObject(value) ||
    Object.entries(value).every(
      ([name, one]) => Object.hasOwn(properties, name) || fits(rule, one, document),
    ),
  propertyNames: (rule, value, { document }) =>
    !isObject(value) || Object.keys(value).every((name) => fits(rule, name, document)),
  maxProperties: (max, value) => !isObject(value) || size(value) <= max,
  items: (rule, value, { document }) =>
    !Array.isArray(value) || value.every((one) => fits(rule, one, document)),
  minItems: (min, value) => !Array.isArray(value) || value.length >= min,
  maxItems: (max, value) => !Array.isArray(value) || value.length <= max,
  minimum: (min, value) => typeof value !== 'number' || value >= min,
  maximum: (max, value) => typeof value !== 'number' || value <= max,
  minLength: (min, value) => !isText(value) || [...value].length >= min,
  maxLength: (max, value) => !isText(value) || [...value].length <= max,
  pattern: (pattern, value) => !isText(value) || new RegExp(pattern, 'u').test(value),
};
