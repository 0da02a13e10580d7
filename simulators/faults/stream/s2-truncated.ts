import type { NativeAnswer } from '../../answers/native-answer.ts';
import { cutSteps, standardSteps } from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { pausedBeforeEnd } from '../native/breaking-off.ts';
import { withLineEnds } from '../native/line-ends.ts';
import { truncationPoint } from '../native/truncation.ts';

/**
 * Some deltas, then FIN without a finish reason. The head states no length, so to HTTP the body is
 * complete. Forms: where it breaks off; `unfinished-chunks` lacks the last chunk, which HTTP notices.
 */
export const truncated: Fault = {
  id: 'S2',
  kind: 'wire',
  actsOn: actsOn.wideText,
  steps,
};

function steps(given: NativeAnswer, context: FaultContext): Step[] {
  const { form, after } = context;
  const answer = form === 'between-cr-lf' ? withLineEnds(given, () => '\r\n') : given;
  const point = truncationPoint(answer, form, after);
  if (point === null) return standardSteps(given);
  return form === 'unfinished-chunks'
    ? pausedBeforeEnd(cutSteps(answer, point, 'fin', 'chunked'), context)
    : cutSteps(answer, point, 'fin', 'none');
}
