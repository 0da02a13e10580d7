import type { Meter } from '../../engine/meter.ts';
import { namesRequest } from '../../engine/request-id.ts';
import type { Profile } from '../../profile/profile.ts';
import { brokenCost, type Spent } from './call-due.ts';
import { kindOf, type MayAsk } from './call-kind.ts';

interface ChargeMeans {
  readonly profile: Profile;
  readonly meter: Pick<Meter, 'byRequest' | 'chargeOf'>;
  readonly mayAsk: MayAsk;
}

/**
 * Looks up whether a stream that broke was charged by its counts, for some streams of each kind: its quota then takes the same
 * ones ("Limits", readings B-36 and B-45).
 * @param spent the call with its payers; null where no known account pays
 */
export async function withCharge<Call extends Omit<Spent, 'payers'>>(
  call: Call,
  spent: Spent | null,
  { profile, meter, mayAsk }: ChargeMeans,
): Promise<Call> {
  const cost = spent === null || !meter.byRequest ? null : brokenCost(profile, spent);
  const { exchange } = call;
  if (cost === null || cost === 0n || !namesRequest(exchange, profile)) return call;
  if (!mayAsk(`tokens of ${kindOf(call)}`, false)) return call;
  const charge = await meter.chargeOf(exchange).catch(() => 0n);
  return { ...call, isCharged: charge >= cost };
}
