import type { JsonObject } from '../../../http/parse-json.ts';

/** A member's name as the object spells it: in camel case, or in snake case, which this dialect also accepts. */
export function spelled(object: JsonObject, camel: string): string {
  const snake = snakeCase(camel);
  return !Object.hasOwn(object, camel) && Object.hasOwn(object, snake) ? snake : camel;
}

/** A member in either spelling; undefined when there is none. */
export function member(object: JsonObject, camel: string): unknown {
  const name = spelled(object, camel);
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Cached snake-case names of this dialect: each is needed again for every part of a body. */
const snakeNames = new Map<string, string>();

/** Converts a name of this dialect to snake case. Never call it with a caller's own name. */
export function snakeCase(camel: string): string {
  const known = snakeNames.get(camel);
  if (known !== undefined) return known;
  const snake = camel.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeNames.set(camel, snake);
  return snake;
}
