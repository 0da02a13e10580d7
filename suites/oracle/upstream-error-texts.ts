import { parseJson } from '../values/json.ts';

/** Shorter texts could match by chance. */
const shortest = 14;

/** The error texts of an upstream by which a leak into an answer is recognised. */
export function errorTextsOf(body: Buffer, except: string): string[] {
  const found = new Set<string>();
  for (const part of documentsIn(body.toString('utf8'))) collect(part, found, 0);
  return [...found].filter((errorText) => !overlaps(errorText, except));
}

/** Whether a long enough part of the error text also occurs in the other text. */
function overlaps(errorText: string, text: string): boolean {
  for (let at = 0; at + shortest <= errorText.length; at += 1)
    if (text.includes(errorText.slice(at, at + shortest))) return true;
  return false;
}

/** The JSON values in a body or in the events of a stream; text that is not JSON is kept as it is. */
function documentsIn(text: string): unknown[] {
  const whole = parseJson(text);
  if (whole !== undefined) return [whole];
  return text.split(/\r\n|\n|\r/).map((line) => {
    const data = line.replace(/^(?:data|event|id|retry)?: ?/, '').replace(/,$/, '');
    return parseJson(data) ?? data;
  });
}

/** Maximum nesting depth of an error text. */
const deepest = 200;

function collect(value: unknown, found: Set<string>, depth: number): void {
  if (typeof value === 'string') {
    // Status lines and header fields in a raw reply are ordinary text that any server may send.
    if (/^(?:HTTP\/\d|[A-Za-z][A-Za-z0-9-]*: )/.test(value)) return;
    for (const run of value.split(/<[^>]*>|[\n\r{}[\]"]+/)) {
      const words = run.trim();
      if (words.length >= shortest && /\s/.test(words)) found.add(words);
    }
  } else if (value !== null && typeof value === 'object' && depth < deepest) {
    for (const member of Object.values(value)) collect(member, found, depth + 1);
  }
}
