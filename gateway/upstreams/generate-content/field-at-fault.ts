import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { systemPrompt } from '../outcome.ts';

/** Our fields by the upstream's names: camel case, snake case or plain words. */
const fields: readonly (readonly [pattern: RegExp, field: string])[] = [
  [/\btemperature\b/i, 'temperature'],
  [/\btop_?p\b/i, 'top_p'],
  [/\bmax_?output_?tokens\b/i, 'max_tokens'],
  [/\bstop_?sequences?\b/i, 'stop'],
  [/\bseed\b/i, 'seed'],
  [/\bresponse_?(?:mime_?type|schema|json_?schema)\b/i, 'response_format'],
  [/\btool_?config\b|\bfunction_?calling_?config\b|\ballowed_?function_?names\b/i, 'tool_choice'],
  [/\btools\b|\bfunction_?declarations?\b/i, 'tools'],
  [/\bsystem_?instruction\b/i, systemPrompt],
  [/\bcontents?\b|\bfunction[_ ]?(?:call|response)\b/i, 'messages'],
  [/\bthought[_ ]?signature\b|\bmodel turn\b|\brequest payload\b/i, 'messages'],
  [
    /\binline_?data\b|\bfile_?(?:data|uri)\b|\bmime[_ ]?type\b|\b(?:image|video|audio|document|pdf|url)s?\b/i,
    'messages',
  ],
  // Only schemas get that deep: deeply nested arguments and tool results are sent as strings.
  [/\bnested\b|\btoo deep\b|\brecursion\b/i, 'tools'],
];

/** Maximum length of an upstream's text that is searched. */
const maxText = 2000;

/** Our field that caused a rejection: the first one that the details name, or else the text. */
export function fieldAtFault({ details, message }: JsonObject): string | null {
  const violations = (Array.isArray(details) ? details : []).flatMap((detail: unknown) =>
    isObject(detail) && Array.isArray(detail.fieldViolations) ? detail.fieldViolations.filter(isObject) : [],
  );
  const texts = [...violations.map(({ field }) => field), message];
  for (const text of texts) {
    const field = typeof text === 'string' ? firstNamed(text.slice(0, maxText)) : null;
    if (field !== null) return field;
  }
  return null;
}

function firstNamed(text: string): string | null {
  const named = fields.flatMap(([pattern, field]) => {
    const at = text.search(pattern);
    return at === -1 ? [] : [{ at, field }];
  });
  return named.toSorted((one, other) => one.at - other.at)[0]?.field ?? null;
}
