import type { JobOutput, JobStand, JobView, JobViewError } from '../../answers/job-view.ts';
import type { JobFault, JobLook } from '../../fault-contract/fault.ts';

/** What one look is told in place of the truth. Members that are left out are those that go with the stand. */
export interface Told {
  readonly stand: JobStand;
  readonly word?: string | null;
  readonly progress?: number;
  readonly outputs?: readonly JobOutput[] | null;
  readonly error?: JobViewError | null;
}

const progressOf: Readonly<Record<JobStand, number>> = {
  queued: 0,
  running: 40,
  text: 60,
  first: 80,
  success: 100,
  failed: 40,
  canceled: 40,
};

/** The view that says just this of the job, whatever it does. */
export function viewOf({ stand, word, progress, outputs, error }: Told, { made }: JobLook): JobView {
  return {
    stand,
    word: word ?? null,
    progress: progress ?? progressOf[stand],
    outputs: outputs === undefined ? outputsOf(stand, made) : outputs,
    error: error ?? null,
  };
}

function outputsOf(stand: JobStand, made: readonly JobOutput[]): readonly JobOutput[] | null {
  if (stand === 'success') return made;
  return stand === 'first' ? made.slice(0, Math.max(1, made.length - 1)) : null;
}

/** Tells the looks one after the other; the last one is told again for ever. */
export function inTurn(
  ...told: readonly [Told | JobStand, ...(Told | JobStand)[]]
): NonNullable<JobFault['show']> {
  return (_view, look) => {
    const one = told[Math.min(look.nth, told.length) - 1] ?? told[0];
    return viewOf(typeof one === 'string' ? { stand: one } : one, look);
  };
}
