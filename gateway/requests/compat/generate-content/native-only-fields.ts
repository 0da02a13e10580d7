import type { JsonObject } from '../../../http/parse-json.ts';
import { snakeCase } from './spelling.ts';

/** Collects the bracket paths, in the caller's body, of fields that the common form cannot express. */
export class NativeOnlyFields {
  readonly paths: string[] = [];

  add(path: string): void {
    this.paths.push(path);
  }

  /** Adds the unknown members of an object, in either spelling. A null member is ignored. */
  addOthers(object: JsonObject, path: string, known: readonly string[]): void {
    for (const name in object) {
      if (object[name] === null || known.includes(name)) continue;
      if (known.some((one) => name === snakeCase(one))) continue;
      this.add(path === '' ? name : `${path}.${name}`);
    }
  }
}
