import { isJsonObject } from '../values/json.ts';
import { stringAt, type TextEdit, topMembers, withEdits } from './top-members.ts';

/** Model ids in both directions. Unmapped ids stay unchanged. */
export interface ModelMap {
  readonly ownOf: (role: string) => string;
  readonly roleOf: (own: string) => string;
  /** A model of the deployment, for calls that name none. */
  readonly usual: string;
}

/** A path with its model replaced. */
export function modelInPath(path: string, rename: (id: string) => string): string {
  return path.replace(/(\/models\/)([^/?:]+)(?=:)/, (whole, before: string, escaped: string) => {
    const id = decoded(escaped);
    const other = id === null ? id : rename(id);
    return other === null || other === id ? whole : before + encodeURIComponent(other);
  });
}

function decoded(escaped: string): string | null {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return null;
  }
}

/** A JSON text with the models that it names replaced, and not one character besides. */
export function modelsInText(text: string, rename: (id: string) => string): string {
  const members = topMembers(text);
  // A protocol names its model at the top, or in the message that a stream begins with.
  const naming = [
    ...members.filter(({ name }) => name === 'model' || name === 'modelVersion'),
    ...members
      .filter(({ name }) => name === 'message')
      .flatMap(({ valueAt }) => topMembers(text, valueAt).filter(({ name }) => name === 'model')),
  ];
  const edits = naming.flatMap(({ valueAt, valueEnd }): TextEdit[] => {
    const id = stringAt(text, valueAt, valueEnd);
    const other = id === null ? null : rename(id);
    return other === null || other === id
      ? []
      : [{ at: valueAt, end: valueEnd, text: JSON.stringify(other) }];
  });
  return edits.length === 0 ? text : withEdits(text, edits);
}

/** A model list with its ids replaced, under any member name. */
export function modelsInList(value: unknown, rename: (id: string) => string): unknown {
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'string' ? rename(item) : modelsInList(item, rename)));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) =>
      typeof item === 'string' && ['id', 'model', 'name'].includes(name)
        ? [name, rename(item)]
        : [name, modelsInList(item, rename)],
    ),
  );
}
