/**
 * The arguments of a call for dialects that send them as an object. A text that is no JSON object (scripted so,
 * or cut by a limit) has become an empty one by the time such an upstream sends it.
 */
export function argumentsAsObject(text: string): object {
  const value = parseArguments(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** The JSON in a text as it is to be printed again: numbers that a double cannot hold keep their digits. Undefined when it is none. */
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
