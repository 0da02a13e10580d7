import { type JsonObject, parseObjectText } from '../../http/parse-json.ts';

/** The arguments of a call for dialects that insist on an object: a text that holds none stays readable inside one. */
export function argumentsObject(text: string): JsonObject {
  if (text.trim() === '') return {};
  return parseObjectText(text) ?? { arguments: text };
}
