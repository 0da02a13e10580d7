import type { Measured } from 'gatecheck-reports/drill/drill-report';
import { Meter } from '../engine/meter.ts';
import { namesRequest } from '../engine/request-id.ts';
import { Semaphore } from '../engine/semaphore.ts';
import type { Profile } from '../profile/profile.ts';
import type { Exchange } from '../wire/exchange.ts';
import { known, unknown } from './measure.ts';

/** How many charges are looked up in parallel, and for how many calls at most. */
const atOnce = 4;
const most = 2_000;
const picoPerDollar = 1e12;

/** How long the refund of a failed task may take, real ms. */
const taskMs = 2_000;

/** Calls and submissions that must be free: failed calls, and failed tasks. */
export interface Failed {
  readonly calls: readonly Exchange[];
  readonly tasks: readonly Exchange[];
}

interface Ledger {
  readonly profile: Profile;
  readonly mainKey: string;
  readonly signal: AbortSignal;
}

/** The charges of failed calls and tasks, by the deployment's ledger. */
export async function costOfFailures(
  { calls: failed, tasks }: Failed,
  { profile, mainKey, signal }: Ledger,
): Promise<Measured> {
  if (profile.hooks.ledger === undefined) return unknown('hooks.ledger is not declared');
  const named = failed.filter((exchange) => namesRequest(exchange, profile));
  const beyond = failed.length - Math.min(named.length, most);
  if (beyond > 0 && failed.some(({ response }) => response !== null))
    if (named.length === 0) return unknown(`no failed call names its request (${profile.http.request_id})`);
  const meter = new Meter({ profile, mainKey, signal });
  const seats = new Semaphore(atOnce);
  const ended = tasks.filter((exchange) => namesRequest(exchange, profile)).slice(0, most);
  const charges = await Promise.all([
    ...named.slice(0, most).map((exchange) => seats.pass(() => meter.chargeOf(exchange))),
    ...ended.map((exchange) => seats.pass(() => meter.finalChargeOf(exchange, taskMs))),
  ]);
  return known(Number(charges.reduce((sum, charge) => sum + charge, 0n)) / picoPerDollar);
}
