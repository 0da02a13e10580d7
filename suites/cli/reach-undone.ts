import { type Undone, undoDeviations } from '../deviations/undo.ts';
import { type ReachOptions, reachTarget, type TargetOptions } from './reach-target.ts';

/** A deployment that options name, seen without the deviations that its profile declares. */
export interface UndoneTarget {
  readonly undone: Undone;
  readonly stop: () => Promise<void>;
  readonly gatewayPid?: number;
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
