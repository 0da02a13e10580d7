import { JsonText } from '../../oracle/json-text.ts';
import { MemberList, printBody, RawBytes } from './raw-json.ts';

/** The path to a value in a body. */
export type Place = readonly (string | number)[];

/** Members whose content the caller defines freely, so no table lists their fields. */
const freeForm = new Set([
  ...['metadata', 'parameters', 'input_schema', 'input', 'args', 'response', 'responseSchema'],
  ...['properties', 'labels', 'thinkingConfig', 'thinking'],
]);

/** The name of a place with every index left open: `messages[].content[].text`. */
export function generalOf(place: Place): string {
  return place.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[]` : text === '' ? part : `${text}.${part}`),
    '',
  );
}

/** The places of a path that names indices: `messages[0].content` is one place. */
export function placeIn(path: string): Place {
  return path
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** Every place of a body by its general name, except inside free-form members. */
export function placesIn(body: unknown): Map<string, Place[]> {
  const found = new Map<string, Place[]>();
  const visit = (value: unknown, place: Place): void => {
    if (place.length > 0) {
      const general = generalOf(place);
      const known = found.get(general);
      // A list may have 50,000 items, so no array is copied.
      if (known === undefined) found.set(general, [place]);
      else known.push(place);
    }
    const last = place.findLast((part) => typeof part === 'string');
    if (typeof last === 'string' && freeForm.has(last)) return;
    for (const [part, inner] of partsOf(value)) visit(inner, [...place, part]);
  };
  visit(body, []);
  return found;
}

/** The members or items of a value; empty for other values. */
export function partsOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isPlainObject(value) ? Object.entries(value) : [];
}

/** The value at a place; undefined when the place does not exist. */
export function valueAt(body: unknown, place: Place): unknown {
  return place.reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return value[Number(part)];
    return isPlainObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }, body);
}

/**
 * The text of the value at a place. A member list counts as one value, because no path leads into it. For a missing place the
 * text says at which depth it ends.
 */
export function textAt(body: unknown, place: Place): string {
  let value = body;
  for (const [depth, part] of place.entries()) {
    if (value instanceof RawBytes || value instanceof MemberList) break;
    const inner = valueAt(value, [part]);
    if (inner === undefined) return `nothing below ${depth} of ${generalOf(place)}`;
    value = inner;
  }
  return printBody(value).toString('latin1');
}

/** The body with another value at a place. */
export function withValue(body: unknown, place: Place, value: unknown): unknown {
  return changed(body, place, () => value);
}

/** The body with one inner value changed; a missing member is added. */
export function changed(body: unknown, place: Place, change: (value: unknown) => unknown): unknown {
  const [part, ...rest] = place;
  if (part === undefined) return change(body);
  if (Array.isArray(body)) return body.map((item, at) => (at === part ? changed(item, rest, change) : item));
  if (body instanceof MemberList)
    return inMembers(body, String(part), (value) => changed(value, rest, change));
  if (!isPlainObject(body)) return body;
  const inner = Object.hasOwn(body, part) ? body[part] : undefined;
  return withMember(body, String(part), changed(inner, rest, change));
}

/** The list with each member of this name changed; a missing member is added. */
function inMembers({ members }: MemberList, name: string, change: (value: unknown) => unknown): MemberList {
  const has = members.some(([own]) => own === name);
  return new MemberList([
    ...members.map(([own, value]) => [own, own === name ? change(value) : value] as const),
    ...(has ? [] : [[name, change(undefined)] as const]),
  ]);
}

/** The body without the member or item at a place. */
export function withoutPlace(body: unknown, place: Place): unknown {
  const part = place.at(-1);
  return changed(body, place.slice(0, -1), (parent) => {
    if (Array.isArray(parent)) return parent.filter((_, at) => at !== part);
    if (!isPlainObject(parent)) return parent;
    return Object.fromEntries(Object.entries(parent).filter(([name]) => name !== part));
  });
}

/** An object with one more own member, even when the name is `__proto__`. */
export function withMember(object: object, name: string, value: unknown): object {
  const members = Object.entries(object);
  const at = members.findIndex(([other]) => other === name);
  if (at < 0) members.push([name, value]);
  else members[at] = [name, value];
  return Object.fromEntries(members);
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    !(value instanceof RawBytes) &&
    !(value instanceof MemberList) &&
    !(value instanceof JsonText)
  );
}
