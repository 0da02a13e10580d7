import { isObject, type JsonObject } from '../../http/parse-json.ts';

/** The schema of a function's arguments the way native protocols insist on it: that of an object, and saying so. */
export function objectSchema(schema: unknown): JsonObject {
  return isObject(schema) ? { type: 'object', ...schema } : { type: 'object', properties: {} };
}
