import type { CutPoint } from '../../answers/cut-point.ts';
import type { Frame, NativeAnswer } from '../../answers/native-answer.ts';
import {
  cutSteps,
  frameSteps,
  headBytes,
  headStep,
  standardSteps,
  wireHeaders,
} from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { pausedBeforeEnd } from '../native/breaking-off.ts';
import { placeOf } from '../native/places.ts';

/**
 * The answer has its finish reason, but the connection ends without the end mark that should follow. The head
 * states no length, so FIN also ends the body. Forms: `before-done`; `before-usage`; `inside-usage` and
 * `inside-done`, in the middle of that frame; `unfinished-chunks`, where the chunked body lacks its last chunk. In
 * a dialect whose counts come with the ending, only the end mark can be missing.
 */
export const noDone: Fault = { id: 'S1', kind: 'wire', actsOn: actsOn.usage, steps };

function steps(given: NativeAnswer, context: FaultContext): Step[] {
  const { form } = context;
  const hasUsage = placeOf(given.frames, 'usage') !== -1;
  if (!hasUsage && given.dialect === 'chat-completions' && form?.endsWith('-usage'))
    return standardSteps(given);
  switch (form) {
    case 'before-usage':
      return untilFin(given, hasUsage ? 'before-usage' : 'before-done');
    case 'inside-usage':
      return untilHalf(given, placeOf(given.frames, hasUsage ? 'usage' : 'done'));
    case 'inside-done':
      return untilHalf(given, placeOf(given.frames, 'done'));
    case 'unfinished-chunks':
      return pausedBeforeEnd(cutSteps(given, { after: 'before-done' }, 'fin', 'chunked'), context);
    default:
      return untilFin(given, 'before-done');
  }
}

function untilFin(given: NativeAnswer, after: CutPoint['after']): Step[] {
  return cutSteps(given, { after }, 'fin', 'none');
}

function untilHalf(given: NativeAnswer, place: number): Step[] {
  const cut = given.frames[place];
  if (cut === undefined) return untilFin(given, 'before-done');
  const half: Frame = { ...cut, bytes: cut.bytes.subarray(0, Math.floor(cut.bytes.length / 2)) };
  const head = headStep(given, headBytes(given.status, wireHeaders(given, 'none')));
  return [head, ...frameSteps([...given.frames.slice(0, place), half], 'none'), { do: 'end', by: 'fin' }];
}
