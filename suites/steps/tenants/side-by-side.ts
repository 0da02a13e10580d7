import { inLockstep } from '../../engine/lockstep.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { Target } from '../../engine/parts/target.ts';
import { part, Violation } from '../../rules/violation.ts';
import { createRng } from '../../values/seed.ts';

/** The number of tenants for a check that uses several, because each tenant may have only a few calls in flight. */
export const severalTenants = { quick: 6, full: 6 } as const;

/** The number of tenants for a check whose calls run one after the other, which takes a minute when answers are slow. */
export const fewTenants = { quick: 4, full: 4 } as const;

/**
 * Runs a check's work on all its tenants side by side. Each has its share of the items, and its own draws, so that a replay
 * does the same. The clock moves when all of them wait for it.
 * @returns the violation of each item, in order; null for items without one
 */
export async function triedSideBySide<T>(
  parts: CheckParts,
  items: readonly T[],
  work: (own: CheckParts, item: T) => Promise<void>,
): Promise<(Violation | null)[]> {
  const found: (Violation | null)[] = items.map(() => null);
  const { tenants, clock } = parts;
  const seed = parts.rng.int(2 ** 31);
  const ends = await inLockstep(
    clock,
    tenants.map((tenant, place) => async (time) => {
      const { name: _, ...ofTenant } = tenant;
      const rng = createRng(seed, String(place));
      const target = new Target(parts.target, rng);
      const own = {
        ...parts,
        ...ofTenant,
        tenants: [tenant],
        clock: clock.within(time),
        rng,
        target,
      } as const;
      for (const [at, item] of items.entries())
        if (at % tenants.length === place) found[at] = await violationOf(() => work(own, item));
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return found;
}

/** The work for each item of a round, and then once for all of its items. */
export interface RoundWork<T> {
  /** @param nth the index of the item in its round; items of a round run at once */
  readonly each: (own: CheckParts, item: T, nth: number) => Promise<void>;
  readonly all: (own: CheckParts, items: readonly T[]) => Promise<void>;
}

/**
 * The same in rounds. No two items of a round have the same mark, so a tenant tries them at once. A violation in `all` counts
 * for each item of the round.
 */
export async function triedInRounds<T>(
  parts: CheckParts,
  items: readonly T[],
  markOf: (item: T) => string,
  { each, all }: RoundWork<T>,
): Promise<(Violation | null)[]> {
  const found: (Violation | null)[] = items.map(() => null);
  const rounds = roundsOf([...items.entries()], ([, item]) => markOf(item));
  const after = await triedSideBySide(parts, rounds, async (own, round) => {
    await Promise.all(
      round.map(async ([at, item], nth) => {
        found[at] = await violationOf(() => each(own, item, nth));
      }),
    );
    await all(
      own,
      round.map(([, item]) => item),
    );
  });
  for (const [place, round] of rounds.entries()) for (const [at] of round) found[at] ??= after[place] ?? null;
  return found;
}

function roundsOf<T>(items: readonly T[], markOf: (item: T) => string): T[][] {
  const groups = [...Map.groupBy(items, markOf).values()];
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) =>
    groups.flatMap((group) => group.slice(place, place + 1)),
  );
}

/** The same, but each violation is reported as the check's own. */
export async function sideBySide<T>(
  parts: CheckParts,
  items: readonly T[],
  work: (own: CheckParts, item: T) => Promise<void>,
): Promise<void> {
  const found = await triedSideBySide(parts, items, work);
  for (const violation of found)
    if (violation !== null)
      await part(async () => {
        throw violation;
      });
}

async function violationOf(work: () => Promise<void>): Promise<Violation | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof Violation) return error;
    throw error;
  }
}

/**
 * The key for the concurrent call with this index. Two users of the account alternate, because together they have more slots.
 */
export function userInTurn({ keys, target }: Pick<CheckParts, 'keys' | 'target'>, place: number): string {
  return place % 2 === 1 && target.ownTenant ? (keys.K4 ?? keys.K1) : keys.K1;
}
