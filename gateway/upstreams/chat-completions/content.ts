import { isObject, type JsonObject } from '../../http/parse-json.ts';

/**
 * The text of a message or delta: null when there is none, undefined when it is not text. Some servers send it in
 * parts; only the text parts are the answer.
 */
export function contentIn({ content = null }: JsonObject): string | null | undefined {
  if (content === null || typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const parts: readonly unknown[] = content;
  const texts = parts.map((part) => (isObject(part) ? (part.type === 'text' ? part.text : '') : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('') : undefined;
}
