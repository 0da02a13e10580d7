import { isObject, type JsonObject } from '../../../http/parse-json.ts';
import { mediaKind, mediaOf } from '../../media-url.ts';
import type { NativeOnlyFields } from './native-only-fields.ts';
import { member, snakeCase } from './spelling.ts';

/** A part in common form. */
export type CommonPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'medium'; readonly url: string }
  | {
      readonly kind: 'call';
      /** Null when the caller's history has none. */
      readonly id: string | null;
      readonly name: string;
      readonly arguments: string;
      readonly signature: string | null;
    }
  | { readonly kind: 'result'; readonly id: string | null; readonly name: string; readonly text: string };

/** Names that upstreams of every dialect accept. */
export const commonName = /^[A-Za-z0-9_-]{1,64}$/;

const readers: Readonly<
  Record<
    string,
    (value: unknown, part: JsonObject, at: string, nativeOnly: NativeOnlyFields) => CommonPart | null
  >
> = {
  text: (text) => (typeof text === 'string' ? { kind: 'text', text } : null),
  inlineData: readInlineData,
  fileData: readFileData,
  functionCall: readCall,
  functionResponse: readResult,
};
/** The kind of content that a member holds, by its name in either spelling. */
const kinds = new Map(
  Object.keys(readers).flatMap((kind) => [
    [kind, kind],
    [snakeCase(kind), kind],
  ]),
);

/** Converts a part to the common form as far as possible; null for none. Adds everything that it drops to `nativeOnly`. */
export function readPart(part: JsonObject, at: string, nativeOnly: NativeOnlyFields): CommonPart | null {
  const kind = onlyKind(part);
  // A thought is only useful to the model that wrote it, in its own dialect.
  const words =
    kind === null || part.thought === true
      ? null
      : (readers[kind]?.(member(part, kind), part, at, nativeOnly) ?? null);
  if (words === null) nativeOnly.add(at);
  // The signature of a text is useful only to the model that wrote it, and it is optional.
  else nativeOnly.addOthers(part, at, [kind ?? '', 'thought', 'thoughtSignature']);
  return words;
}

/** The content of a part; null if it has no known content, or several. */
function onlyKind(part: JsonObject): string | null {
  let only: string | null = null;
  for (const name in part) {
    const kind = kinds.get(name);
    if (kind === undefined || part[name] === null) continue;
    if (only !== null) return null;
    only = kind;
  }
  return only;
}

function readInlineData(
  value: unknown,
  _part: JsonObject,
  at: string,
  nativeOnly: NativeOnlyFields,
): CommonPart | null {
  if (!isObject(value)) return null;
  const mime = member(value, 'mimeType');
  const { data } = value;
  const url = `data:${typeof mime === 'string' ? mime : ''};base64,${typeof data === 'string' ? data : ''}`;
  nativeOnly.addOthers(value, at, ['mimeType', 'data']);
  if (mediaKind(url) !== null) return { kind: 'medium', url };
  nativeOnly.add(at);
  return standIn(mime);
}

function readFileData(
  value: unknown,
  _part: JsonObject,
  at: string,
  nativeOnly: NativeOnlyFields,
): CommonPart | null {
  if (!isObject(value)) return null;
  const mime = member(value, 'mimeType') ?? null;
  const url = member(value, 'fileUri');
  nativeOnly.addOthers(value, at, ['mimeType', 'fileUri']);
  const kind = typeof url === 'string' ? mediaKind(url) : null;
  // Only the URL itself can show the type.
  const isTypeKnown = kind !== null && (mime === null || kind === kindOf(mime));
  if (typeof url === 'string' && isTypeKnown) return { kind: 'medium', url };
  nativeOnly.add(at);
  return standIn(mime);
}

/** A placeholder for media without a URL form. The capability check reads only its type. */
function standIn(mime: unknown): CommonPart {
  const type = typeof mime === 'string' ? (mime.split(';')[0] ?? '') : 'image/png';
  return { kind: 'medium', url: `data:${type};base64,` };
}

function kindOf(mime: unknown): string | null {
  return typeof mime === 'string' ? mediaOf(`data:${mime};base64,`).kind : null;
}

function readCall(
  value: unknown,
  part: JsonObject,
  at: string,
  nativeOnly: NativeOnlyFields,
): CommonPart | null {
  if (!isObject(value)) return null;
  const { name, args = null } = value;
  if (typeof name !== 'string' || !commonName.test(name)) return null;
  if (args !== null && !isObject(args)) return null;
  const signature = member(part, 'thoughtSignature');
  nativeOnly.addOthers(value, `${at}.functionCall`, ['id', 'name', 'args']);
  return {
    kind: 'call',
    id: idOf(value),
    name,
    arguments: JSON.stringify(args ?? {}),
    signature: typeof signature === 'string' && signature !== '' ? signature : null,
  };
}

function readResult(
  value: unknown,
  _part: JsonObject,
  at: string,
  nativeOnly: NativeOnlyFields,
): CommonPart | null {
  if (!isObject(value)) return null;
  const { name, response = null } = value;
  if (typeof name !== 'string' || !(response === null || isObject(response))) return null;
  nativeOnly.addOthers(value, `${at}.functionResponse`, ['id', 'name', 'response']);
  return { kind: 'result', id: idOf(value), name, text: resultText(response ?? {}) };
}

/** The text of a result: the value of its only member, if the member's name means "all of it". */
function resultText(response: JsonObject): string {
  const [only = '', ...others] = Object.keys(response);
  const isWhole = others.length === 0 && ['output', 'result'].includes(only);
  const value: unknown = isWhole ? response[only] : response;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function idOf({ id }: JsonObject): string | null {
  return typeof id === 'string' && id !== '' ? id : null;
}
