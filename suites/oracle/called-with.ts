import { readJson } from './native/json.ts';

/**
 * What a call is made with: the value of its arguments, each number to the digit. How JSON is spaced is nobody's
 * promise ("Tool definition": a JSON-encoded string), so it does not count. A text that is no JSON stands for itself.
 */
export function calledWith(argumentsText: string): unknown {
  try {
    return readJson(argumentsText);
  } catch {
    return argumentsText;
  }
}
