import { isObject, isRawNumber, parseExact } from '../../http/parse-json.ts';

/** Finish reasons by their numbers in the protocol buffer of this dialect. */
const reasons: readonly string[] = [
  ...['FINISH_REASON_UNSPECIFIED', 'STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'OTHER', 'LANGUAGE'],
  ...['BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'MALFORMED_FUNCTION_CALL', 'IMAGE_SAFETY'],
  ...['UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'],
];

/** What shows that a response has the field names, or the numbers, of the protocol buffer. */
const signs =
  /"(?:finish_reason|function_call|usage_metadata|prompt_feedback|thought_signature|inline_data|model_version|response_id)"\s*:|"finishReason"\s*:\s*\d/;

/**
 * The text of a response under the names of its JSON form. JSON of protocol buffers may have either: `finish_reason` for
 * `finishReason`, and a number for the word of an enumeration. Arguments of calls stay as they are.
 */
export function inJsonNames(text: string): string {
  if (!signs.test(text)) return text;
  const response = parseExact(text.replace(/^\uFEFF/, ''));
  return isObject(response) ? JSON.stringify(renamed(response)) : text;
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (!isObject(value) || isRawNumber(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const own = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [own, own === 'args' ? member : wordOf(own, member)];
    }),
  );
}

function wordOf(name: string, value: unknown): unknown {
  if (name === 'finishReason' && typeof value === 'number') return reasons[value] ?? value;
  return renamed(value);
}
