import type { CheckParts } from '../../engine/parts/check-parts.ts';

/** The key for the call with this index, of those that go at once: two users of the account, in turn, have more slots. */
export function userInTurn({ keys, target }: Pick<CheckParts, 'keys' | 'target'>, place: number): string {
  return place % 2 === 1 && target.ownTenant ? (keys.K4 ?? keys.K1) : keys.K1;
}
