import { isObject, type JsonObject } from '../../../http/parse-json.ts';

/**
 * What is noted down while a native request is put into our words: where things stood, and what our words cannot say.
 * Places are bracket paths.
 */
export class CommonForm {
  /** Native places of what our words cannot say. */
  readonly nativeOnly: string[] = [];
  readonly #places = new Map<string, string>();

  /** Says where in the native body something stands. */
  place(ours: string, native: string): void {
    this.#places.set(ours, native);
  }

  /** The members of an object other than these, where they say anything, are beyond our words. */
  onlyKnown(native: JsonObject, at: string, known: readonly string[]): void {
    for (const [name, value] of Object.entries(native)) {
      if (value !== null && !known.includes(name)) this.nativeOnly.push(at === '' ? name : `${at}.${name}`);
    }
  }

  /** The native place of something, or of the nearest around it that has one; what nobody noted stands where we say. */
  placeOf(ours: string): string {
    for (let path = ours; path !== ''; path = path.replace(/(?:^|[.[])[^.[]*$/, '')) {
      const native = this.#places.get(path);
      if (native !== undefined) return native;
    }
    return ours;
  }
}

/** The objects of a list; none for anything else. */
export function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
