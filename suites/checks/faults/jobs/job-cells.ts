import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import {
  type JobCell,
  type JobFaultFacts,
  jobCellsOf,
  type TaskVerdict,
  taskVerdictOf,
} from '../../../oracle/faults/job-fault-facts.ts';

/** The cells to try: all in a full run; else every form and every dialect somewhere. */
export function chosenJobCells({ cases, rng }: CheckParts, facts: JobFaultFacts): JobCell[] {
  if (cases.full) return jobCellsOf(facts);
  const forms = rng.shuffle(facts.forms ?? [null]);
  const dialects = rng.shuffle(facts.dialects);
  return Array.from({ length: Math.max(forms.length, dialects.length) }, (_, place): JobCell => {
    const dialect = dialects[place % dialects.length] ?? facts.dialects[0];
    if (dialect === undefined) throw new Error(`${facts.id} exists in no dialect`);
    return { dialect, form: forms[place % forms.length] ?? null };
  });
}

/** Whether the deployment's time must pass for a task to end, or for a channel to return. */
export function needsTime(facts: JobFaultFacts): boolean {
  return jobCellsOf(facts).some((cell) => {
    const verdict = taskVerdictOf(facts, cell);
    return verdict.deadline !== null || mayRest(verdict);
  });
}

/** Whether a gateway may cool the channel down after this fault, even when the upstream works again. */
export function mayRest({ codes }: TaskVerdict): boolean {
  return codes.includes('channel_outage');
}

/** The name of a cell, for labels. */
export function jobCellName(facts: JobFaultFacts, { dialect, form }: JobCell): string {
  return `${facts.id} ${facts.name}${form === null ? '' : ` (${form})`}, ${dialect}`;
}
