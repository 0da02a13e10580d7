import type { Target } from '../../engine/parts/target.ts';
import { callsAtOnce } from '../../profile/calls-at-once.ts';
import { part } from '../../rules/violation.ts';

/**
 * Does some work for each item, with as many in flight as the deployment's cap allows. Violations in one item do not
 * keep the check from the others; after any other failure it starts no more.
 */
export async function inTurns<T>(
  target: Target,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  let failed = false;
  const turns = Array.from({ length: callsAtOnce(target.profile) }, async () => {
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
