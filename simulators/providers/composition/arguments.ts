/**
 * The arguments of a call for dialects that send them as an object. A text that is not a JSON object (scripted so,
 * or cut by a limit) becomes an empty object.
 */
export function argumentsAsObject(text: string): object {
  const value = parseArguments(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/**
 * Parses JSON that will be printed again: numbers beyond a double keep their digits. Undefined when the text is
 * not JSON.
 */
export function parseArguments(text: string): unknown {
  try {
    return parse(text, (_key, value, { source }) =>
      typeof value === 'number' && source !== undefined && !isExact(value, source) ? rawJSON(source) : value,
    );
  } catch {
    return undefined;
  }
}

const { parse, rawJSON } = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(source: string): unknown;
};

function isExact(value: number, source: string): boolean {
  return Number.isSafeInteger(value) || String(value) === source;
}
