import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { callsAtOnce } from '../../profile/calls-at-once.ts';
import { part } from '../../rules/violation.ts';
import { userInTurn } from '../tenants/side-by-side.ts';

/**
 * Does work for each item, with as many in flight as the deployment's cap allows. A violation in one item does not stop the
 * others. After any other failure no more work starts.
 */
export async function inTurns<T>(
  target: Target,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  await inLanes(callsAtOnce(target.profile), items, work);
}

/**
 * The same for calls that are sent within the cap anyway: two users of the account make them in turn, where the account is
 * the check's own.
 * @param work gets the key of the user
 */
export async function inTurnsOfUsers<T>(
  { target, keys }: Pick<CheckParts, 'target' | 'keys'>,
  items: readonly T[],
  work: (item: T, key: string) => Promise<void>,
): Promise<void> {
  const users = new Set([0, 1].map((place) => userInTurn({ target, keys }, place)));
  await inLanes(users.size * callsAtOnce(target.profile), [...items.entries()], ([place, item]) =>
    work(item, userInTurn({ target, keys }, place)),
  );
}

async function inLanes<T>(
  width: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  let failed = false;
  const turns = Array.from({ length: width }, async () => {
    for (const item of left) {
      if (failed) return;
      try {
        await part(() => work(item));
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  });
  const results = await Promise.allSettled(turns);
  const broken = results.find((result) => result.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
}
