/** The input of a call as text. What the model got wrong comes as a text and stays one (fault M14). */
export function argumentsText(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? {});
}
