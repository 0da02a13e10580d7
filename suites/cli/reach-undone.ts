import { type Undone, undoDeviations } from '../deviations/undo.ts';
import { inDialect } from '../dialects/in-dialect.ts';
import { type ReachOptions, reachTarget, type TargetOptions } from './reach-target.ts';
import type { ReachedTarget } from './reached-target.ts';

/** A deployment that options name, seen without the deviations that its profile declares. */
export interface UndoneTarget extends Omit<ReachedTarget, 'profile'> {
  readonly undone: Undone;
}

/**
 * As `reachTarget`, with the profile's deviations translated.
 * @throws UsageError when the options or the deviations are invalid
 */
export async function reachUndone(
  options: TargetOptions,
  seed: number,
  start: ReachOptions = {},
): Promise<UndoneTarget> {
  const { profile, ...rest } = await reachTarget(options, seed, start);
  try {
    return { ...rest, undone: undoDeviations(inDialect(profile)) };
  } catch (error) {
    await rest.stop();
    throw error;
  }
}
