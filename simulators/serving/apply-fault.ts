import type { NativeAnswer } from '../answers/native-answer.ts';
import { withHeaders } from '../answers/whole-answer.ts';
import type { Step } from '../answers/wire-program.ts';
import type { Altered, Fault, FaultContext } from '../fault-contract/fault.ts';
import type { Pace } from '../latency/pace.ts';
import type { JobBefallen } from '../state/jobs/job.ts';
import type { Exchange } from './exchange.ts';
import { Course } from './pause-points.ts';
import { runProgram } from './run-program.ts';
import { sendAnswer, type Way } from './send-answer.ts';

/** What else is scripted, and the answer that the request would have got. */
export interface Ordinary {
  readonly way: Way;
  readonly pace: Pace;
  readonly headers: Readonly<Record<string, string>> | undefined;
  given(befallen?: JobBefallen): { readonly answer: NativeAnswer; readonly isRefusal: boolean };
}

/** Answers with a fault, whatever its kind. */
export async function applyFault(
  exchange: Exchange,
  fault: Fault,
  context: FaultContext,
  { way, pace, headers, given }: Ordinary,
): Promise<void> {
  switch (fault.kind) {
    case 'instead': {
      const answer = fault.answer(context);
      return sendAnswer(exchange, { ...answer, headers: withHeaders(answer.headers, headers) }, way, pace);
    }
    case 'hijack':
      return runOnTheWay(exchange, way, (nowMs) => fault.steps({ ...context, nowMs }));
    case 'edit': {
      const { answer, isRefusal } = given();
      if (isRefusal) return sendAnswer(exchange, answer, {});
      return sendAnswer(exchange, fault.answer(answer, context), way, pace);
    }
    case 'wire': {
      const { answer, isRefusal } = given();
      const steps = isRefusal ? null : fault.steps(answer, context);
      if (steps === null) return sendAnswer(exchange, answer, isRefusal ? {} : way, pace);
      return runOnTheWay(exchange, way, () => steps);
    }
    case 'job': {
      const plan = fault.plan(context);
      const { instead, submit } = plan;
      if (instead !== undefined) return sendAnswer(exchange, instead, way, pace);
      const { form, after } = context;
      const { answer, isRefusal } = given({ entry: { id: fault.id, form, after }, fault: plan });
      if (isRefusal) return sendAnswer(exchange, answer, {});
      return sendAltered(exchange, submit === undefined ? answer : submit(answer), way, pace);
    }
  }
}

/** Sends what became of an answer. */
export async function sendAltered(
  exchange: Exchange,
  altered: Altered,
  way: Way,
  pace?: Pace,
): Promise<void> {
  if ('steps' in altered) return runOnTheWay(exchange, way, () => altered.steps);
  if (!('after' in altered)) return sendAnswer(exchange, altered, way, pace);
  await exchange.waitFor(altered.after);
  return sendAnswer(exchange, altered.answer, way, pace);
}

/** Of what is scripted on the way only that before the head: the rest is the program's. */
export async function runOnTheWay(
  exchange: Exchange,
  way: Way,
  stepsAt: (nowMs: number) => Iterable<Step>,
): Promise<void> {
  const course = new Course(exchange, way);
  await course.beforeHead();
  await runProgram(exchange, stepsAt(course.startMs), course.startMs);
}
