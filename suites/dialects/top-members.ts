/** The position of a member in the text of a JSON object. Ends are exclusive. */
export interface MemberPlace {
  readonly name: string;
  readonly nameAt: number;
  readonly nameEnd: number;
  readonly valueAt: number;
  readonly valueEnd: number;
}

/** A change of a text: the part from `at` to `end` becomes `text`. */
export interface TextEdit {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

const blank = /[ \t\r\n]*/y;
const scalar = /[^,\]}\s"[{]+/y;

/**
 * The members of the object that begins at `start`, duplicates included, as far as the text is JSON. Checks send malformed
 * texts on purpose, so parsing stops at the first error.
 */
export function topMembers(text: string, start = 0): MemberPlace[] {
  const found: MemberPlace[] = [];
  let at = skip(blank, text, start);
  if (text[at] !== '{') return found;
  at += 1;
  for (;;) {
    const nameAt = skip(blank, text, at);
    const nameEnd = endOfString(text, nameAt);
    if (nameEnd === nameAt) return found;
    const colon = skip(blank, text, nameEnd);
    if (text[colon] !== ':') return found;
    const valueAt = skip(blank, text, colon + 1);
    const valueEnd = endOfValue(text, valueAt);
    const name = stringAt(text, nameAt, nameEnd);
    if (valueEnd === null || name === null) return found;
    found.push({ name, nameAt, nameEnd, valueAt, valueEnd });
    const comma = skip(blank, text, valueEnd);
    if (text[comma] !== ',') return found;
    at = comma + 1;
  }
}

/** The text within quotes; null where it is no JSON string. */
export function stringAt(text: string, at: number, end: number): string | null {
  try {
    const value: unknown = JSON.parse(text.slice(at, end));
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const backwards = edits.toSorted((one, other) => other.at - one.at);
  return backwards.reduce(
    (said, { at, end, text: part }) => said.slice(0, at) + part + said.slice(end),
    text,
  );
}

/**
 * A JSON object with members under other names, and not one character besides.
 * @param texts members whose numbers are texts there, and whose texts of numbers are numbers
 */
export function inOwnNames(
  text: string,
  names: Readonly<Record<string, string | null>>,
  texts: readonly string[] = [],
): string {
  const edits = topMembers(text).flatMap(({ name, nameAt, nameEnd, valueAt, valueEnd }) => {
    const own = Object.hasOwn(names, name) ? names[name] : undefined;
    const value = texts.includes(name) ? swapped(text.slice(valueAt, valueEnd)) : null;
    return [
      ...(typeof own === 'string' ? [{ at: nameAt, end: nameEnd, text: JSON.stringify(own) }] : []),
      ...(value === null ? [] : [{ at: valueAt, end: valueEnd, text: value }]),
    ];
  });
  return edits.length === 0 ? text : withEdits(text, edits);
}

/** A number as the text of it, and such a text as the number, so that the wrong type stays wrong; null for anything else. */
function swapped(json: string): string | null {
  if (jsonNumber.test(json)) return `"${json}"`;
  return json.startsWith('"') && jsonNumber.test(json.slice(1, -1)) ? json.slice(1, -1) : null;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The position after the closing quote; `at` itself if there is no string. */
function endOfString(text: string, at: number): number {
  if (text[at] !== '"') return at;
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) return end + 1;
  }
  return at;
}

/** The position after a value; null if it has no end. */
function endOfValue(text: string, start: number): number | null {
  let [at, depth] = [start, 0];
  while (at < text.length) {
    const letter = text[at] ?? '';
    if (letter === '"') {
      const end = endOfString(text, at);
      if (end === at) return null;
      at = end;
    } else if (letter === '{' || letter === '[') {
      depth += 1;
      at += 1;
      continue;
    } else if (letter === '}' || letter === ']') {
      depth -= 1;
      at += 1;
      if (depth < 0) return null;
    } else if (depth > 0) {
      at += 1;
      continue;
    } else {
      const end = skip(scalar, text, at);
      return end === at ? null : end;
    }
    if (depth === 0) return at;
  }
  return null;
}
