import type { Rng } from '../../seed.ts';
import type { Cases } from './cases.ts';
import type { CheckClock } from './check-clock.ts';
import type { Judge } from './judge.ts';
import type { Target } from './target.ts';
import type { Tenant } from './tenant.ts';

/**
 * Everything that one run of one check works with. A check takes the parts that it needs; so does a move that checks
 * share. What a lane offers is that of the first lane.
 */
export interface CheckParts extends Omit<Tenant, 'name'> {
  /** The lanes that the check asked for, or fewer when the deployment has not so many. */
  readonly tenants: readonly [Tenant, ...Tenant[]];
  readonly judge: Judge;
  readonly cases: Cases;
  readonly clock: CheckClock;
  readonly target: Target;
  /** Draws by the run's seed and the check. */
  readonly rng: Rng;
}
