import { isObject, type JsonObject } from '../../../http/parse-json.ts';

/**
 * Notes made while a native request is converted to the common form: the original paths, and what the common form
 * cannot express. All paths are bracket paths.
 */
export class CommonForm {
  /** Native paths of what the common form cannot express. */
  readonly nativeOnly: string[] = [];
  readonly #places = new Map<string, string>();

  /** Records the native path of something in the common form. */
  place(ours: string, native: string): void {
    this.#places.set(ours, native);
  }

  /** Records all other members with a value as native-only. */
  onlyKnown(native: JsonObject, at: string, known: readonly string[]): void {
    for (const [name, value] of Object.entries(native)) {
      if (value !== null && !known.includes(name)) this.nativeOnly.push(at === '' ? name : `${at}.${name}`);
    }
  }

  /** The native path of something, or of its nearest parent that has one; by default our own path. */
  placeOf(ours: string): string {
    for (let path = ours; path !== ''; path = path.replace(/(?:^|[.[])[^.[]*$/, '')) {
      const native = this.#places.get(path);
      if (native !== undefined) return native;
    }
    return ours;
  }
}

/** The objects of a list; empty for anything else. */
export function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
