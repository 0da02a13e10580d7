import { type Undone, undoDeviations } from '../deviations/undo.ts';
import { type ReachOptions, reachTarget, type TargetOptions } from './reach-target.ts';
import type { ReachedTarget } from './reached-target.ts';

/** A deployment that options name, seen without the deviations that its profile declares. */
export interface UndoneTarget extends Omit<ReachedTarget, 'profile'> {
  readonly undone: Undone;
}

/**
 * As `reachTarget`, through the adapters that undo what the profile declares.
 * @throws UsageError when the options or the deviations cannot be meant
 */
export async function reachUndone(
  options: TargetOptions,
  seed: number,
  start: ReachOptions = {},
): Promise<UndoneTarget> {
  const { profile, stop, ...rest } = await reachTarget(options, seed, start);
  try {
    const undone = await undoDeviations(profile);
    return {
      ...rest,
      undone,
      stop: async () => {
        await undone.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
