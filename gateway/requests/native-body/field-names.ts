import type { JsonObject } from '../../http/parse-json.ts';

/** A dialect's names for our fields; fields that are not listed keep their names. */
export type FieldNames = Readonly<Record<string, string>>;

/** The fields under the names of a dialect. */
export function renamed(fields: JsonObject, names: FieldNames): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [nativeName(names, name), value]));
}

/**
 * Finds the field of a request that an upstream names by its own path, such as `input.seconds`. Null when it is
 * not a field of the request.
 */
export function fieldFinder(fields: JsonObject, names: FieldNames): (path: unknown) => string | null {
  const ours = new Map(Object.keys(fields).map((name) => [nativeName(names, name), name]));
  return (path) => {
    const words = typeof path === 'string' ? path.slice(0, maxPath).match(/[A-Za-z_]+/g) : null;
    const [first = '', second = ''] = words ?? [];
    return ours.get(envelopes.includes(first) ? second : first) ?? null;
  };
}

/** Maximum length of an upstream's path that is read. */
const maxPath = 100;

/** Members of a native body that wrap its fields. */
const envelopes = ['input', 'params'];

function nativeName(names: FieldNames, name: string): string {
  return (Object.hasOwn(names, name) ? names[name] : undefined) ?? name;
}
