import { isObject, type JsonObject } from '../../../http/parse-json.ts';
import { member } from './spelling.ts';

/** Members that mean the same in both kinds of schema. */
const same = [
  'title',
  'description',
  'format',
  'enum',
  'pattern',
  'default',
  'required',
  'minimum',
  'maximum',
];
/** Numbers that this dialect may write as strings. */
const counts = ['minItems', 'maxItems', 'minProperties', 'maxProperties', 'minLength', 'maxLength'];
/** Members that only concern display or order. */
const silent = ['propertyOrdering', 'example'];

/**
 * Converts a schema in the dialect's own form, with types in capitals, to JSON schema. Null when it has unknown
 * members.
 */
export function jsonSchemaOf(schema: unknown): JsonObject | null {
  if (!isObject(schema)) return null;
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(schema)) {
    const camel = name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    const value = member(schema, camel);
    if (value === null || silent.includes(camel) || camel === 'nullable') continue;
    const converted = convert(camel, value);
    if (converted === undefined) return null;
    result[camel] = converted;
  }
  const { nullable } = schema;
  if (nullable === true && typeof result.type === 'string') result.type = [result.type, 'null'];
  return result;
}

/** The value of a member in JSON schema; undefined when it is unknown. */
function convert(name: string, value: unknown): unknown {
  if (same.includes(name)) return value;
  if (counts.includes(name))
    return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  switch (name) {
    case 'type':
      return typeof value === 'string' && value !== 'TYPE_UNSPECIFIED' ? value.toLowerCase() : undefined;
    case 'items':
      return jsonSchemaOf(value) ?? undefined;
    case 'anyOf': {
      const schemas = Array.isArray(value) ? value.map(jsonSchemaOf) : [null];
      return schemas.includes(null) ? undefined : schemas;
    }
    case 'properties': {
      if (!isObject(value)) return undefined;
      const members = Object.entries(value).map(([key, schema]) => [key, jsonSchemaOf(schema)] as const);
      return members.some(([, schema]) => schema === null) ? undefined : Object.fromEntries(members);
    }
    default:
      return undefined;
  }
}
