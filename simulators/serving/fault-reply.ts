import type { NativeAnswer } from '../answers/native-answer.ts';
import { withHeaders } from '../answers/whole-answer.ts';
import type { Fault, FaultContext } from '../fault-contract/fault.ts';
import type { Pace } from '../latency/pace.ts';
import type { AppliedJobFault } from '../state/jobs/job.ts';
import { altered, type Interruptions, type Outgoing } from './outgoing.ts';

/** The rest of the script, and the answer that the request would have received without the fault. */
export interface WithoutFault {
  readonly scripted: Interruptions;
  readonly pace: Pace;
  readonly headers: Readonly<Record<string, string>> | undefined;
  answer(appliedFault?: AppliedJobFault): { readonly answer: NativeAnswer; readonly isRefusal: boolean };
}

/** What leaves in place of an answer, by the kind of the fault. A refusal of the request stays a refusal. */
export function faultReply(fault: Fault, context: FaultContext, without: WithoutFault): Outgoing {
  const { scripted, pace, headers } = without;
  if (fault.kind === 'instead') {
    const answer = fault.answer(context);
    return { answer: { ...answer, headers: withHeaders(answer.headers, headers) }, scripted, pace };
  }
  if (fault.kind === 'hijack') return { scripted, stepsAt: (nowMs) => fault.steps({ ...context, nowMs }) };
  const plan = fault.kind === 'job' ? fault.plan(context) : null;
  if (plan?.instead !== undefined) return { answer: plan.instead, scripted, pace };
  const { form, after } = context;
  const { answer, isRefusal } = without.answer(
    ...(plan === null ? [] : [{ entry: { id: fault.id, form, after }, fault: plan }]),
  );
  if (isRefusal) return { answer };
  if (plan !== null) return altered(plan.submit?.(answer) ?? answer, scripted, pace);
  if (fault.kind === 'edit') return { answer: fault.answer(answer, context), scripted, pace };
  const steps = fault.kind === 'wire' ? fault.steps(answer, context) : null;
  return steps === null ? { answer, scripted, pace } : { scripted, stepsAt: () => steps };
}
