import { type JsonObject, parseObjectText } from '../../http/parse-json.ts';

/** The arguments of a call for dialects that require an object; any other text is wrapped in one. */
export function argumentsObject(text: string): JsonObject {
  if (text.trim() === '') return {};
  return parseObjectText(text) ?? { arguments: text };
}
