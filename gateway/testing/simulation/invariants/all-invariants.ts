import type { Invariant } from '../world/view.ts';
import { breakers } from './breakers.ts';
import { cap } from './cap.ts';
import { charges } from './charges.ts';
import { deliveries } from './deliveries.ts';
import { leases } from './leases.ts';
import { money } from './money.ts';
import { tasks } from './tasks.ts';

/** All invariants, with nothing observed yet. */
export function allInvariants(): readonly Invariant[] {
  return [money, charges(), cap(), breakers(), tasks(), deliveries(), leases];
}
