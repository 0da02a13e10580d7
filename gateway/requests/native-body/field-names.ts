import type { JsonObject } from '../../http/parse-json.ts';

/** What upstreams of a dialect call our fields; those that are not listed keep their names. */
export type FieldNames = Readonly<Record<string, string>>;

/** The fields under the names of a dialect. */
export function renamed(fields: JsonObject, names: FieldNames): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [nativeName(names, name), value]));
}

/**
 * Tells which field of a request an upstream means by a path of its own, such as `input.seconds`; null when it is none of
 * the request's.
 */
export function fieldFinder(fields: JsonObject, names: FieldNames): (path: unknown) => string | null {
  const ours = new Map(Object.keys(fields).map((name) => [nativeName(names, name), name]));
  return (path) => {
    const words = typeof path === 'string' ? path.slice(0, maxPath).match(/[A-Za-z_]+/g) : null;
    const [first = '', second = ''] = words ?? [];
    return ours.get(envelopes.includes(first) ? second : first) ?? null;
  };
}

/** Only so much of an upstream's path is looked at. */
const maxPath = 100;

/** What a native body has around its fields. */
const envelopes = ['input', 'params'];

function nativeName(names: FieldNames, name: string): string {
  return (Object.hasOwn(names, name) ? names[name] : undefined) ?? name;
}
