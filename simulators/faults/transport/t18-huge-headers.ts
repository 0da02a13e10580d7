import type { NativeAnswer } from '../../answers/native-answer.ts';
import { headBytes, headStep, standardSteps, wireHeaders } from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';
import type { Fault } from '../../fault-contract/fault.ts';

const blockBytes = 64 * 1024;
const lines = 64;

/** An ordinary answer after 64 KiB of headers: many of them, or one. */
export const hugeHeaders: Fault = {
  id: 'T18',
  kind: 'wire',
  steps: (given, { form }) =>
    withMoreHeaders(given, form === 'one' ? [['x-trace', filler(blockBytes)]] : many()),
};

function many(): [string, string][] {
  return Array.from({ length: lines }, (_, at) => [`x-trace-${at}`, filler(blockBytes / lines)]);
}

function filler(bytes: number): string {
  return 'trace '
    .repeat(Math.ceil(bytes / 6))
    .slice(0, bytes)
    .trimEnd();
}

/** The whole answer with additional headers. */
function withMoreHeaders(given: NativeAnswer, more: readonly (readonly [string, string])[]): Step[] {
  const [, ...body] = standardSteps(given);
  return [headStep(given, headBytes(given.status, [...wireHeaders(given), ...more])), ...body];
}
