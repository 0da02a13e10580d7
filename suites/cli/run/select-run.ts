import type { CheckFacts } from '../../engine/check.ts';
import type { Minimums } from '../../profile/conformance-profiles.ts';
import type { Register } from '../../rules/register.ts';
import { preloadChecks } from '../../runner/execute.ts';
import { knownWithOwn } from '../../runner/own-checks.ts';
import { type Selection, selectForRun } from '../../runner/select.ts';
import { tenantsFor } from '../../runner/tenant-pool.ts';
import { givenBounds } from '../budget.ts';
import { openHistory } from '../history.ts';
import { assertFile, openFolder } from '../output-places.ts';
import { readMinimums } from '../read-minimums.ts';
import { type RunOptions, selectionOf, sizeOf } from '../run-options.ts';

/** A fixed seed, so that two runs of a gate try the same cases. */
const usualSeed = 1;

/** The user's request for a run, before the target is known. */
export interface AskedRun {
  readonly options: RunOptions;
  readonly register: Register;
  /** The selected checks, in the order of reports. */
  readonly checks: readonly CheckFacts[];
  /** All existing checks, selected or not. */
  readonly known: readonly CheckFacts[];
  readonly selection: Selection;
  /** How many tenants the checks use at once. */
  readonly tenants: number;
  readonly seed: number;
  readonly required: Minimums;
  readonly startedAt: Date;
  /** Whether another round on the same deployment follows, which is to find it as this one did. */
  readonly goesOn?: boolean;
}

/**
 * Selects the checks of a run, and opens the files written at its end.
 * @throws UsageError when an option is invalid
 */
export async function selectRun(options: RunOptions): Promise<AskedRun> {
  const { selection, seed: earlierSeed } = selectionOf(options);
  const { register, checks: known } = await knownWithOwn(options.checks);
  const checks = selectForRun(known, register, selection);
  const required = options.require === undefined ? {} : readMinimums(options.require);
  givenBounds(options);
  openFolder(options.out);
  if (options.history !== undefined) openHistory(options.history, selection.shard);
  if (options.har !== undefined) assertFile(options.har, '--har');
  if (options.writeWaivers !== undefined) assertFile(options.writeWaivers, '--write-waivers');
  return {
    ...{ options, register, checks, known, selection, required, startedAt: new Date() },
    seed: options.seed ?? earlierSeed ?? usualSeed,
    tenants: tenantsFor(checks, sizeOf(options)),
  };
}

/**
 * Loads the selected checks. A loading error is reported only after the target has started, so that the target can be
 * stopped.
 */
export async function preload({ checks }: AskedRun): Promise<void> {
  await preloadChecks(checks.map(({ id }) => id)).catch(() => undefined);
}
