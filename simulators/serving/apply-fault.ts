import type { NativeAnswer } from '../answers/native-answer.ts';
import { withHeaders } from '../answers/whole-answer.ts';
import type { Step } from '../answers/wire-program.ts';
import type { AlteredAnswer, Fault, FaultContext } from '../fault-contract/fault.ts';
import type { Pace } from '../latency/pace.ts';
import type { AppliedJobFault } from '../state/jobs/job.ts';
import type { Exchange } from './exchange.ts';
import { PausePoints } from './pause-points.ts';
import { runProgram } from './run-program.ts';
import { type Interruptions, sendAnswer } from './send-answer.ts';

/** The rest of the script, and the answer that the request would have received without the fault. */
export interface OrdinaryAnswer {
  readonly interruptions: Interruptions;
  readonly pace: Pace;
  readonly headers: Readonly<Record<string, string>> | undefined;
  answer(appliedFault?: AppliedJobFault): { readonly answer: NativeAnswer; readonly isRefusal: boolean };
}

/** Answers with a fault, whatever its kind. */
export async function applyFault(
  exchange: Exchange,
  fault: Fault,
  context: FaultContext,
  { interruptions, pace, headers, answer: ordinary }: OrdinaryAnswer,
): Promise<void> {
  switch (fault.kind) {
    case 'instead': {
      const answer = fault.answer(context);
      return sendAnswer(
        exchange,
        { ...answer, headers: withHeaders(answer.headers, headers) },
        interruptions,
        pace,
      );
    }
    case 'hijack':
      return runAfterHeadGate(exchange, interruptions, (nowMs) => fault.steps({ ...context, nowMs }));
    case 'edit': {
      const { answer, isRefusal } = ordinary();
      if (isRefusal) return sendAnswer(exchange, answer, {});
      return sendAnswer(exchange, fault.answer(answer, context), interruptions, pace);
    }
    case 'wire': {
      const { answer, isRefusal } = ordinary();
      const steps = isRefusal ? null : fault.steps(answer, context);
      if (steps === null) return sendAnswer(exchange, answer, isRefusal ? {} : interruptions, pace);
      return runAfterHeadGate(exchange, interruptions, () => steps);
    }
    case 'job': {
      const plan = fault.plan(context);
      const { instead, submit } = plan;
      if (instead !== undefined) return sendAnswer(exchange, instead, interruptions, pace);
      const { form, after } = context;
      const { answer, isRefusal } = ordinary({ entry: { id: fault.id, form, after }, fault: plan });
      if (isRefusal) return sendAnswer(exchange, answer, {});
      return sendAltered(exchange, submit === undefined ? answer : submit(answer), interruptions, pace);
    }
  }
}

/** Sends the answer as a fault has changed it. */
export async function sendAltered(
  exchange: Exchange,
  altered: AlteredAnswer,
  interruptions: Interruptions,
  pace?: Pace,
): Promise<void> {
  if ('steps' in altered) return runAfterHeadGate(exchange, interruptions, () => altered.steps);
  if (!('after' in altered)) return sendAnswer(exchange, altered, interruptions, pace);
  await exchange.waitFor(altered.after);
  return sendAnswer(exchange, altered.answer, interruptions, pace);
}

/** Runs only the gate before the head: the program controls everything after it. */
export async function runAfterHeadGate(
  exchange: Exchange,
  interruptions: Interruptions,
  stepsAt: (nowMs: number) => Iterable<Step>,
): Promise<void> {
  const pauses = new PausePoints(exchange, interruptions);
  await pauses.beforeHead();
  await runProgram(exchange, stepsAt(pauses.startMs), pauses.startMs);
}
