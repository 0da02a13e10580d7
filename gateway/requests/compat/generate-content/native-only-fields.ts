import type { JsonObject } from '../../../http/parse-json.ts';
import { snakeCase } from './spelling.ts';

/** Collects the places of what common words cannot say, as bracket paths in the caller's words. */
export class NativeOnlyFields {
  readonly paths: string[] = [];

  add(path: string): void {
    this.paths.push(path);
  }

  /** Adds the members of an object that are not among those known, in either spelling. One that is null says nothing. */
  addOthers(object: JsonObject, path: string, known: readonly string[]): void {
    const names = new Set(known.flatMap((name) => [name, snakeCase(name)]));
    for (const [name, value] of Object.entries(object)) {
      if (names.has(name) || value === null) continue;
      this.add(path === '' ? name : `${path}.${name}`);
    }
  }
}
