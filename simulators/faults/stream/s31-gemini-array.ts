import type { Frame, NativeAnswer } from '../../answers/native-answer.ts';
import { standardSteps } from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { jsonType } from '../../providers/generate-content/errors.ts';
import { actsOn } from '../native/acts-on.ts';
import { closeAnswer, openAnswer } from '../native/open-answer.ts';
import { splitSteps } from '../native/split-writes.ts';

/**
 * One growing JSON array, although the request asked for events. Forms: its elements `pretty` over many lines, each on
 * `one-line`, or cut `anywhere` into writes of drawn lengths.
 */
export const arrayStream: Fault = { id: 'S31', kind: 'wire', actsOn: actsOn.events, steps };

/** The maximum size of a write in the form `anywhere`, bytes. */
const mostBytes = 90;

function steps(given: NativeAnswer, { form, random }: FaultContext): Step[] {
  const headers = { ...given.headers, 'content-type': jsonType };
  const array = closeAnswer({ ...given, headers }, openAnswer(given), 'elements');
  if (form === 'pretty') return standardSteps(array);
  const narrow = { ...array, frames: array.frames.map(onOneLine) };
  if (form === 'one-line') return standardSteps(narrow);
  return splitSteps(narrow, ({ length }) => {
    const offsets: number[] = [];
    for (let at = random.between(1, mostBytes); at < length; at += random.between(1, mostBytes))
      offsets.push(at);
    return offsets;
  });
}

/** Removes the line ends of the indentation; those inside strings are escaped and stay. */
function onOneLine(frame: Frame): Frame {
  const text = frame.bytes.toString('utf8');
  const body = /\{[\s\S]*\}/.exec(text)?.[0];
  if (body === undefined) return frame;
  return { ...frame, bytes: Buffer.from(text.replace(body, () => JSON.stringify(JSON.parse(body)))) };
}
