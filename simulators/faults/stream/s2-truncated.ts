import type { NativeAnswer } from '../../answers/native-answer.ts';
import { cutSteps } from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { pausedBeforeEnd } from '../native/breaking-off.ts';
import { withLineEnds } from '../native/line-ends.ts';
import { truncationPoint } from '../native/truncation.ts';

/**
 * Some deltas, then FIN without a finish reason. The head states no length, so to HTTP the body is
 * complete. Forms: where it breaks off; `unfinished-chunks` lacks the last chunk, which HTTP notices.
 */
export const truncated: Fault = { id: 'S2', kind: 'wire', steps };

function steps(given: NativeAnswer, { form, after }: FaultContext): Step[] {
  const answer = form === 'between-cr-lf' ? withLineEnds(given, () => '\r\n') : given;
  const point = truncationPoint(answer, form, after);
  return form === 'unfinished-chunks'
    ? pausedBeforeEnd(cutSteps(answer, point, 'fin', 'chunked'))
    : cutSteps(answer, point, 'fin', 'none');
}
