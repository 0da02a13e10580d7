import { isDeepStrictEqual } from 'node:util';
import { isChatDialect, type NativeAnswer } from '../answers/native-answer.ts';
import { withHeaders } from '../answers/whole-answer.ts';
import { standardSteps } from '../answers/wire-form.ts';
import type { Step } from '../answers/wire-program.ts';
import type { FaultEntry } from '../control/journal.ts';
import type { AlteredAnswer, Fault, FaultContext } from '../fault-contract/fault.ts';
import { closeAnswer, openAnswer } from '../faults/native/open-answer.ts';
import type { Pace } from '../latency/pace.ts';
import { type Fit, fits } from '../providers/composition/fit.ts';
import type { AppliedJobFault } from '../state/jobs/job.ts';
import { altered, type Interruptions, type Outgoing } from './outgoing.ts';
import { headersOf } from './send.ts';
import { sendSteps } from './send-steps.ts';

/** The rest of the script, and the answer that the request would have received without the fault. */
export interface WithoutFault {
  readonly scripted: Interruptions;
  readonly pace: Pace;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** With `fit`, the same answer with something that a fault can act on. */
  answer(parts: AnswerParts): Ordinary;
}

export interface AnswerParts {
  readonly appliedFault?: AppliedJobFault;
  readonly fit?: Fit;
  /** A member of the script to ignore. */
  readonly except?: Fault['states'];
}

interface Ordinary {
  readonly answer: NativeAnswer;
  readonly isRefusal: boolean;
}

/** The outgoing answer, and the journal's entry of the fault. */
export interface FaultReply {
  readonly outgoing: Outgoing;
  readonly entry: Pick<FaultEntry, 'applied' | 'fitted' | 'misfit'>;
}

/**
 * The answer with the fault, by its kind. An error for the request stays an error. If the fault cannot change the answer, a
 * part is added that it can change. If no part helps, the result is a misfit.
 */
export function faultReply(
  fault: Fault,
  contextNow: () => FaultContext,
  without: WithoutFault,
): FaultReply | { readonly misfit: string } {
  const { scripted, pace, headers } = without;
  if (scripted.hang === 'head')
    return { misfit: `a hang at the head lets nothing of ${fault.id} leave: script one of them` };
  const context = contextNow();
  const missing = fault.needs?.(context) ?? null;
  if (missing !== null) return { misfit: `${fault.id} needs ${missing}` };
  if (fault.kind === 'instead') {
    const answer = fault.answer(context);
    return applied({ answer: { ...answer, headers: withHeaders(answer.headers, headers) }, scripted, pace });
  }
  if (fault.kind === 'hijack')
    return applied({ scripted, stepsAt: (nowMs) => fault.steps({ ...context, nowMs }) });
  if (fault.kind === 'job') return jobReply(fault.id, fault.plan(context), context, without);
  const given = without.answer({});
  if (given.isRefusal) return unapplied({ answer: given.answer });
  if (fault.kind === 'cut') {
    const cut = fault.at(context);
    const interruption = cut === null ? { retires: true } : { cut };
    return applied({ answer: given.answer, scripted: { ...scripted, ...interruption }, pace });
  }
  const { states: except } = fault;
  const before = except === undefined ? given.answer : without.answer({ except }).answer;
  // Outside chat dialects an answer can be made only once, because it starts a job or stores files.
  for (const fit of [undefined, ...(isChatDialect(context.dialect) ? fits : [])]) {
    const { answer, isRefusal } = fit === undefined ? given : without.answer({ fit });
    if (isRefusal) continue;
    const changed = change(fault, answer, { ...contextNow(), ...(fit === undefined ? {} : { fitted: fit }) });
    if (changed === null) return unapplied({ answer, scripted, pace });
    if (isSame(changed, before) || (fit !== undefined && isSame(changed, answer))) continue;
    if (endsBefore(scripted, changed, answer))
      return {
        misfit: `the scripted cut or hang comes before anything that ${fault.id} changes; script it later`,
      };
    return applied(altered(changed, scripted, pace), fit);
  }
  const form = context.form === null ? '' : ` ${context.form}`;
  return {
    misfit: `${fault.id}${form} changes nothing in this answer; it needs ${fault.actsOn ?? 'another'}`,
  };
}

function jobReply(
  id: string,
  plan: ReturnType<Extract<Fault, { kind: 'job' }>['plan']>,
  { form, after, waitMs }: FaultContext,
  { scripted, pace, answer: ordinary }: WithoutFault,
): FaultReply {
  if (plan.instead !== undefined) return applied({ answer: plan.instead, scripted, pace });
  const { answer, isRefusal } = ordinary({
    appliedFault: { entry: { id, form, after }, waitMs, fault: plan },
  });
  if (isRefusal) return unapplied({ answer });
  const submitted = plan.submit?.(answer) ?? answer;
  const outgoing = altered(submitted, scripted, pace);
  return isSame(submitted, answer) ? unapplied(outgoing) : applied(outgoing);
}

function applied(outgoing: Outgoing, fitted?: Fit): FaultReply {
  return { outgoing, entry: { applied: true, ...(fitted === undefined ? {} : { fitted }) } };
}

function unapplied(outgoing: Outgoing): FaultReply {
  return { outgoing, entry: { applied: false } };
}

function change(
  fault: Extract<Fault, { kind: 'edit' | 'wire' }>,
  answer: NativeAnswer,
  context: FaultContext,
): AlteredAnswer | null {
  if (fault.kind === 'edit') return fault.answer(answer, context);
  const steps = fault.steps(answer, context);
  return steps === null ? null : { steps };
}

/** Whether the bytes equal the answer, or the same answer parsed and written again. */
function isSame(changed: AlteredAnswer, answer: NativeAnswer): boolean {
  if ('after' in changed) return false;
  if ('steps' in changed) return Array.isArray(changed.steps) && areSame(changed.steps, answer);
  return isEqual(changed, answer) || isEqual(changed, rewritten(answer));
}

function areSame(steps: readonly Step[], answer: NativeAnswer): boolean {
  return (
    isDeepStrictEqual(steps, standardSteps(answer)) ||
    isDeepStrictEqual(steps, standardSteps(rewritten(answer)))
  );
}

/** Whether a scripted interruption ends the answer before its first change. */
function endsBefore(scripted: Interruptions, changed: AlteredAnswer, answer: NativeAnswer): boolean {
  if (!('frames' in changed) || (scripted.cut === undefined && typeof scripted.hang !== 'number'))
    return false;
  return isDeepStrictEqual(sentOf(changed, scripted), sentOf(answer, scripted));
}

/** The head and all bytes that leave before the answer ends or hangs. */
function sentOf(answer: NativeAnswer, scripted: Interruptions): unknown[] {
  const sent: unknown[] = [];
  for (const step of sendSteps(answer, scripted)) {
    if (step.do === 'hang') break;
    if (step.do === 'head') sent.push(step.answer.status, headersOf(step.answer));
    if (step.do === 'frame') sent.push(step.frame.bytes);
    if (step.do === 'write') sent.push(step.bytes);
  }
  return sent;
}

function rewritten(answer: NativeAnswer): NativeAnswer {
  return closeAnswer(answer, openAnswer(answer));
}

function isEqual(one: NativeAnswer, other: NativeAnswer): boolean {
  const [a, b] = [one, other].map(({ status, headers, frames }) => ({
    ...{ status, headers },
    frames: frames.map(({ bytes, dueMs }) => ({ bytes, dueMs })),
  }));
  return isDeepStrictEqual(a, b);
}
