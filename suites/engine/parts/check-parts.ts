import type { Rng } from '../../values/seed.ts';
import type { Cases } from './cases.ts';
import type { CheckClock } from './check-clock.ts';
import type { Judge } from './judge.ts';
import type { Target } from './target.ts';
import type { Tenant } from './tenant.ts';

/**
 * Everything that one run of one check works with. A check or a shared step takes only the parts that it needs. The tenant
 * members belong to the first tenant.
 */
export interface CheckParts extends Omit<Tenant, 'name'> {
  /** The tenants that the check requested, or fewer when the deployment has fewer. */
  readonly tenants: readonly [Tenant, ...Tenant[]];
  readonly judge: Judge;
  readonly cases: Cases;
  readonly clock: CheckClock;
  readonly target: Target;
  /** Random numbers, drawn by the run's seed and the check. */
  readonly rng: Rng;
}
