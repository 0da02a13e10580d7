import type { Measured } from '../../reports/drill/drill-report.ts';
import { Meter } from '../engine/meter.ts';
import { namesRequest } from '../engine/request-id.ts';
import { Semaphore } from '../engine/semaphore.ts';
import type { Profile } from '../profile/profile.ts';
import type { Exchange } from '../wire/exchange.ts';
import { known, unknown } from './measure.ts';

/** How many charges are looked up at once, and of how many calls at most. */
const atOnce = 4;
const most = 2_000;
const picoPerDollar = 1e12;

/** What calls without a good answer were charged, by the ledger of the deployment. */
export async function costOfFailures(
  failed: readonly Exchange[],
  profile: Profile,
  mainKey: string,
  signal: AbortSignal,
): Promise<Measured> {
  if (profile.hooks.ledger === undefined) return unknown('hooks.ledger is not declared');
  const named = failed.filter((exchange) => namesRequest(exchange, profile));
  const beyond = failed.length - Math.min(named.length, most);
  if (beyond > 0 && failed.some(({ response }) => response !== null))
    if (named.length === 0) return unknown(`no failed call names its request (${profile.http.request_id})`);
  const meter = new Meter({ profile, mainKey, signal });
  const seats = new Semaphore(atOnce);
  const charges = await Promise.all(
    named.slice(0, most).map((exchange) => seats.pass(() => meter.chargeOf(exchange))),
  );
  return known(Number(charges.reduce((sum, charge) => sum + charge, 0n)) / picoPerDollar);
}
