import type { Frame, NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { jsonType } from '../../providers/generate-content/errors.ts';
import { closeAnswer, openAnswer } from '../native/open-answer.ts';

/**
 * One growing JSON array, although the request asked for events. Forms: its elements `pretty` over many lines, or
 * each on `one-line`.
 */
export const arrayStream: Fault = { id: 'S31', kind: 'edit', answer };

function answer(given: NativeAnswer, { form }: FaultContext): NativeAnswer {
  const headers = { ...given.headers, 'content-type': jsonType };
  const array = closeAnswer({ ...given, headers }, openAnswer(given));
  return form === 'one-line' ? { ...array, frames: array.frames.map(onOneLine) } : array;
}

/** Removes the line ends of the indentation; those inside strings are escaped and stay. */
function onOneLine(frame: Frame): Frame {
  const text = frame.bytes.toString('utf8');
  const body = /\{[\s\S]*\}/.exec(text)?.[0];
  if (body === undefined) return frame;
  return { ...frame, bytes: Buffer.from(text.replace(body, () => JSON.stringify(JSON.parse(body)))) };
}
