import type { JobOutput, JobStage, JobView, JobViewError } from '../../answers/job-view.ts';
import type { JobFault, JobObservation } from '../../fault-contract/fault.ts';

/** The false state that one poll reports. Default of each member: the true state of the stage. */
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

/** The job state with these values, regardless of the real job. */
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

/** Reports the values poll by poll; the last one is repeated. */
export function pollByPoll(
  ...views: readonly [ScriptedStatus | JobStage, ...(ScriptedStatus | JobStage)[]]
): NonNullable<JobFault['show']> {
  return (_view, observation) => {
    const one = views[Math.min(observation.nth, views.length) - 1] ?? views[0];
    return viewOf(typeof one === 'string' ? { stage: one } : one, observation);
  };
}
