import { dialectOfPath } from '../oracle/native/dialects.ts';
import type { Dialect } from '../profile/dialects.ts';
import { isJsonObject, parseJson } from '../values/json.ts';
import { readSse } from '../wire/sse.ts';

/** Where a native answer has its text: whole, and in an event of a stream. */
const places: Readonly<Record<Dialect, readonly string[]>> = {
  'chat-completions': ['choices.0.message.content', 'choices.0.delta.content'],
  messages: ['content.*.text', 'delta.text'],
  'generate-content': ['candidates.0.content.parts.*.text'],
};

/** The text of an upstream's answer, whole or as a stream; null for a path or a body that is not known. */
export function nativeText(path: string, body: Buffer): string | null {
  const dialect = dialectOfPath(path);
  if (dialect === null) return null;
  const text = body.toString('utf8');
  const whole = parseJson(text);
  const parts = isJsonObject(whole) ? [whole] : readSse(body).events.map(({ data }) => parseJson(data));
  if (parts.length === 0) return null;
  return parts
    .flatMap((part) => places[dialect].flatMap((place) => textsAt(part, place.split('.'))))
    .join('');
}

function textsAt(value: unknown, [name, ...rest]: readonly string[]): string[] {
  if (name === undefined) return typeof value === 'string' ? [value] : [];
  if (name === '*') return Array.isArray(value) ? value.flatMap((item) => textsAt(item, rest)) : [];
  if (value === null || typeof value !== 'object') return [];
  return textsAt((value as Record<string, unknown>)[name], rest);
}
