import { isObject, type JsonObject } from '../../http/parse-json.ts';

/** A function's argument schema as native protocols require it: explicitly that of an object. */
export function objectSchema(schema: unknown): JsonObject {
  return isObject(schema) ? { type: 'object', ...schema } : { type: 'object', properties: {} };
}
