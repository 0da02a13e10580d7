/**
 * Indents JSON without parsing its values, so the text shows what was on the wire. Parsing and printing again
 * would change big integers, duplicate keys and `5.0`.
 */

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const longestLine = 72;
const longestText = 65_536;
const deepest = 100;

/** The text indented by two spaces, short arrays and objects kept on one line; null when it is not JSON. */
export function prettyJson(text: string): string | null {
  if (text.length > longestText || !isJson(text)) return null;
  const cursor = { tokens: text.match(tokens) ?? [], at: 0 };
  return printValue(cursor, 0);
}

interface Cursor {
  tokens: readonly string[];
  at: number;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function printValue(cursor: Cursor, depth: number): string | null {
  const token = cursor.tokens[cursor.at++] ?? '';
  if (token !== '{' && token !== '[') return token;
  if (depth >= deepest) return null;
  const close = token === '{' ? '}' : ']';
  const members: string[] = [];
  while (cursor.tokens[cursor.at] !== close) {
    const member = printMember(cursor, token === '{', depth + 1);
    if (member === null) return null;
    members.push(member);
    if (cursor.tokens[cursor.at] === ',') cursor.at++;
  }
  cursor.at++;
  return layOut(token, members, close, depth);
}

function printMember(cursor: Cursor, named: boolean, depth: number): string | null {
  if (!named) return printValue(cursor, depth);
  const name = cursor.tokens[cursor.at] ?? '';
  cursor.at += 2;
  const value = printValue(cursor, depth);
  return value === null ? null : `${name}: ${value}`;
}

function layOut(open: string, members: readonly string[], close: string, depth: number): string {
  if (members.length === 0) return open + close;
  const flat = members.join(', ');
  const pad = open === '{' ? ' ' : '';
  if (depth > 0 && flat.length + depth * 2 <= longestLine && !flat.includes('\n')) {
    return open + pad + flat + pad + close;
  }
  const indent = '  '.repeat(depth);
  return `${open}\n${members.map((member) => `${indent}  ${member}`).join(',\n')}\n${indent}${close}`;
}
