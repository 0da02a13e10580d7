import { isObject, type JsonObject } from '../../http/parse-json.ts';

/** A function's argument schema with an explicit object type, as native protocols require. */
export function objectSchema(schema: unknown): JsonObject {
  return isObject(schema) ? { type: 'object', ...schema } : { type: 'object', properties: {} };
}
