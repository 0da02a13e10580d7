import type { JobOutput, JobStage, JobView, JobViewError } from '../../answers/job-view.ts';
import type { JobFault, JobObservation } from '../../fault-contract/fault.ts';

/** What one look is told in place of the truth. Members that are left out are those that go with the stand. */
export interface ScriptedStatus {
  readonly stage: JobStage;
  readonly statusWord?: string | null;
  readonly progress?: number;
  readonly outputs?: readonly JobOutput[] | null;
  readonly error?: JobViewError | null;
}

const progressOf: Readonly<Record<JobStage, number>> = {
  queued: 0,
  running: 40,
  text: 60,
  first: 80,
  success: 100,
  failed: 40,
  canceled: 40,
};

/** The view that says just this of the job, whatever it does. */
export function viewOf(
  { stage, statusWord, progress, outputs, error }: ScriptedStatus,
  { made }: JobObservation,
): JobView {
  return {
    stage: stage,
    statusWord: statusWord ?? null,
    progress: progress ?? progressOf[stage],
    outputs: outputs === undefined ? outputsOf(stage, made) : outputs,
    error: error ?? null,
  };
}

function outputsOf(stage: JobStage, made: readonly JobOutput[]): readonly JobOutput[] | null {
  if (stage === 'success') return made;
  return stage === 'first' ? made.slice(0, Math.max(1, made.length - 1)) : null;
}

/** Tells the looks one after the other; the last one is told again for ever. */
export function pollByPoll(
  ...told: readonly [ScriptedStatus | JobStage, ...(ScriptedStatus | JobStage)[]]
): NonNullable<JobFault['show']> {
  return (_view, observation) => {
    const one = told[Math.min(observation.nth, told.length) - 1] ?? told[0];
    return viewOf(typeof one === 'string' ? { stage: one } : one, observation);
  };
}
