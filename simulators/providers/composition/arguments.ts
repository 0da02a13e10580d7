/**
 * The arguments of a call for dialects that send them as an object. A text that is no JSON object (scripted so,
 * or cut by a limit) has become an empty one by the time such an upstream sends it.
 */
export function argumentsAsObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
