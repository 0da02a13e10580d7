/** The input of a call as text. Malformed arguments of the model arrive as a string and stay one (fault M14). */
export function argumentsText(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? {});
}
