/** The value of a JSON text; `undefined` when it is not JSON, because no JSON text parses to it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object, not a list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** A plain copy of a JSON value, for comparisons: readers also make objects without a prototype. */
export function plainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
