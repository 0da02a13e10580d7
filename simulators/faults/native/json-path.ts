/** An object of JSON. */
export interface JsonObject {
  readonly [member: string]: unknown;
}

/** The path of a value inside a JSON value. */
export type JsonPath = readonly (string | number)[];

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at the path; undefined when there is none. */
export function readPath(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((at, part) => {
    if (Array.isArray(at)) return typeof part === 'number' ? at[part] : undefined;
    return isJsonObject(at) ? at[part] : undefined;
  }, value);
}

/**
 * A copy with another value at the path; undefined removes the member. Missing objects on the path are created.
 */
export function writePath(value: unknown, path: JsonPath, given: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined) return given;
  if (value === undefined && given === undefined) return undefined;
  if (typeof part === 'number') {
    const items: unknown[] = Array.isArray(value) ? [...value] : [];
    items[part] = writePath(items[part], rest, given);
    return items;
  }
  const members: Record<string, unknown> = isJsonObject(value) ? { ...value } : {};
  const changed = writePath(members[part], rest, given);
  if (changed === undefined) delete members[part];
  else members[part] = changed;
  return members;
}

/** An event with another value at the path. */
export function withMember(data: JsonObject, path: JsonPath, given: unknown): JsonObject {
  return writePath(data, path, given) as JsonObject;
}
