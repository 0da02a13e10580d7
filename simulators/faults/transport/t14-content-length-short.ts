import type { CutPoint } from '../../answers/cut-point.ts';
import { cutSteps, frameSteps, headBytes, headStep, wireHeaders } from '../../answers/wire-form.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';

/** How many bytes the content length promises beyond a complete answer. */
const promised = { label: 'promised', bytes: Buffer.alloc(200, ' '), dueMs: 0 };

/** FIN before the content length is reached: after half of the answer, or after all of it with a larger length. */
export const contentLengthShort: Fault = {
  id: 'T14',
  kind: 'wire',
  steps: (given, context) => {
    if (context.form !== 'whole-answer') return cutSteps(given, pointOf(context), 'fin', 'length');
    const headers = wireHeaders({ ...given, frames: [...given.frames, promised] }, 'length');
    const head = headStep(given, headBytes(given.status, headers));
    return [head, ...frameSteps(given.frames, 'length'), { do: 'end', by: 'fin' }];
  },
};

function pointOf({ call, after }: FaultContext): CutPoint {
  return call === 'plain' ? { after: 'inside-json' } : { after: after ?? 2 };
}
