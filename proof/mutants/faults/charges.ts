import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

/** Gateways that charge for an upstream's fault. */

const file = 'services/chat/record.ts';
const charge = 'charge_pico: usage === null ? 0n : chargeFor(usage, price, markupBp)';

export const faultChargeMutants: readonly Mutant[] = [
  source(
    ['faults.each-attempt-charged', 'each attempt of a call is charged', 'BILL-009', 'fault-charge'],
    file,
    charge,
    'charge_pico: usage === null ? 0n : chargeFor(usage, price, markupBp) * BigInt(result.attempts)',
  ),
  source(
    [
      'faults.hour-twice',
      'a call is charged twice if something was written to a cache for an hour',
      'BILL-001',
      'fault-charge',
    ],
    file,
    charge,
    'charge_pico: usage === null ? 0n : chargeFor(usage, price, markupBp) * (usage.cacheWrite1hTokens > 0 ? 2n : 1n)',
  ),
];
