import { inLockstep } from '../../engine/lockstep.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { Target } from '../../engine/parts/target.ts';
import { part, Violation } from '../../rules/violation.ts';
import { createRng } from '../../values/seed.ts';

/** How many tenants a check takes that works with several because each has so few calls in flight. */
export const severalTenants = { quick: 6, full: 6 } as const;

/** How many a check takes that would be long behind late answers: one after the other, its calls take a minute there. */
export const fewTenants = { quick: 4, full: 4 } as const;

/**
 * Does the work of a check with all of its tenants side by side, each with its share of the items, and draws of its own, so
 * that all is the same in a replay. The clock moves when all of them wait for it.
 * @returns what each item violated, in their order; null where it held
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

/** What is done with each item of a round, and then once for all of its items. */
export interface RoundWork<T> {
  /** @param nth the place of the item in its round: as many go at once as have nothing in common */
  readonly each: (own: CheckParts, item: T, nth: number) => Promise<void>;
  readonly all: (own: CheckParts, items: readonly T[]) => Promise<void>;
}

/**
 * The same in rounds: of the items of a round no two have the same mark, so that a tenant does them at once. What `all`
 * finds counts for each item of its round.
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

/** The same, where each violation is one of the check's. */
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

/** The key for the call with this index, of those that go at once: two users of the account, in turn, have more slots. */
export function userInTurn({ keys, target }: Pick<CheckParts, 'keys' | 'target'>, place: number): string {
  return place % 2 === 1 && target.ownTenant ? (keys.K4 ?? keys.K1) : keys.K1;
}
