import type { NativeAnswer } from '../../answers/native-answer.ts';
import { headBytes, headStep, standardSteps, wireHeaders } from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';

/** The whole answer with additional headers. */
export function withMoreHeaders(given: NativeAnswer, more: readonly (readonly [string, string])[]): Step[] {
  const [, ...body] = standardSteps(given);
  return [headStep(given, headBytes(given.status, [...wireHeaders(given), ...more])), ...body];
}
