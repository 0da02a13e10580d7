import { isObject } from '../../http/parse-json.ts';

/** What stands at a path in a body as sent; undefined when nothing does. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((node, key) => {
    if (Array.isArray(node)) return node[Number(key)];
    return isObject(node) ? node[key] : undefined;
  }, value);
}
