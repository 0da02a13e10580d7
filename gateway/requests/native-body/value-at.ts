import { isObject } from '../../http/parse-json.ts';

/** The value at a path in a body as sent; undefined when there is none. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((node, key) => {
    if (Array.isArray(node)) return node[Number(key)];
    return isObject(node) ? node[key] : undefined;
  }, value);
}
