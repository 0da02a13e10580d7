import { setTimeout as wait } from 'node:timers/promises';
import { isRed } from 'gatecheck-reports/verdict-words';
import { type ForeignTraffic, isByCap } from '../engine/foreign-traffic.ts';
import { chatRequest } from '../engine/requests.ts';
import { noSlot } from '../engine/slot-watch.ts';
import type { WireClient } from '../wire/client.ts';
import { countOf } from './count-of.ts';
import type { JobResult } from './run-input.ts';

/** The most failed checks that are rerun. More failures are not a coincidence, so none is rerun. */
export const mostDoubted = 12;

/** The limit when another client uses the account, because it may have disturbed many checks. */
export const mostDoubtedBesideOthers = 60;

/** How often a check must pass when rerun, to be flaky. */
export const repeats = 2;

/** How many failed reruns with foreign traffic are ignored. */
const spoiltLooks = 4;

/** How to rerun a check. */
export interface Again {
  /** Judges it from its start, with the same cases, while nothing else runs. */
  readonly judge: () => Promise<JobResult>;
  /** How often foreign traffic on the account was seen; it only grows. */
  readonly sightings: () => number;
}

/** Whether a result failed, or its calls never got a slot, so that a rerun is worthwhile. */
export function isDoubtful({ verdict, not_run, evidence }: JobResult): boolean {
  return (
    not_run === undefined && (isRed(verdict) || evidence.missing.some((fact) => fact.startsWith(noSlot)))
  );
}

/**
 * Reruns a doubtful check. A failure that recurs keeps its first finding. A failure that does not recur in two reruns is
 * `flaky`, and keeps its finding. A check that broke down or got no slot takes the verdict of the first completed rerun. A
 * rerun with foreign traffic counts only when it passes.
 */
export async function judgeAgain(first: JobResult, { judge, sightings }: Again): Promise<JobResult> {
  const broke = first.verdict !== 'fail';
  let spoilt = 0;
  for (let count = 1; count <= repeats; count += 1) {
    const before = sightings();
    const next = await judge();
    // A rerun that a budget or an interrupt cut off shows nothing new.
    if (next.not_run !== undefined) return first;
    if (isDoubtful(next) && sightings() > before && spoilt < spoiltLooks) {
      spoilt += 1;
      count -= 1;
      continue;
    }
    if (next.verdict === 'harness-error') {
      if (broke) continue;
      return first;
    }
    if (broke) return noted(next, `${whyBroken(first)}, and not alone`);
    if (next.verdict === 'fail') return noted(first, 'failed again when rerun alone');
  }
  if (broke) return first;
  return noted(
    { ...first, verdict: 'flaky' },
    `passed ${countOf(repeats, 'time')} when rerun alone with the same cases`,
  );
}

function whyBroken({ verdict, failure }: JobResult): string {
  if (verdict === 'untestable') return 'no slot of the user was free beside others';
  return `it broke down beside others (${failure?.actual ?? 'no reason given'})`;
}

function noted(result: JobResult, note: string): JobResult {
  const { evidence } = result;
  return { ...result, evidence: { ...evidence, notes: [note, ...evidence.notes] } };
}

/** How long an account has to be quiet, and the longest wait for that, ms. */
const quietMs = 600;
const withinMs = 30_000;
const lookEachMs = 100;

/** The same once its slot was seen taken: others have just paused, and the check needs the rest of their pause. */
const pausedMs = 50;

/** After this time the slot of a call that has ended is surely free (reading B-36), ms. */
const freedMs = 200;

interface Looking {
  readonly traffic: Pick<ForeignTraffic, 'begin'>;
  readonly signal: AbortSignal;
}

/**
 * Waits until a shared account has had a free slot for a while, so that a check which is judged alone begins between
 * the calls of others. It asks by calls that are refused and free, up to a limit. The run has no other call in flight
 * then, so a taken slot proves that others use the account.
 * @returns how long it took, ms
 */
export async function quietAccount(
  client: Pick<WireClient, 'send'>,
  key: string,
  { traffic, signal }: Looking,
): Promise<number> {
  const start = performance.now();
  let [quietSince, neededMs] = [start, quietMs];
  while (performance.now() - start < withinMs) {
    const isTaken = await isSlotTaken(client, key, { traffic, signal });
    const now = performance.now();
    if (isTaken) [quietSince, neededMs] = [now + lookEachMs, pausedMs];
    else if (now - quietSince >= neededMs) break;
    await wait(lookEachMs, undefined, { signal });
  }
  return performance.now() - start;
}

/**
 * Looks a moment after a failed rerun whether others use the account. During it, a refusal that follows close on a call of the
 * run proves nothing, because that call's slot may be freed late.
 */
export async function lookForOthers(
  client: Pick<WireClient, 'send'>,
  key: string,
  { traffic, signal }: Looking,
): Promise<void> {
  await wait(freedMs, undefined, { signal });
  await isSlotTaken(client, key, { traffic, signal });
}

/** Sends a call that is refused and free. The traffic counts it where no other call of the run can have had the slot. */
async function isSlotTaken(
  client: Pick<WireClient, 'send'>,
  key: string,
  { traffic, signal }: Looking,
): Promise<boolean> {
  const ends = traffic.begin();
  const exchange = await client.send({ ...chatRequest({}, { label: 'is a slot free?' }, key), signal });
  ends(exchange);
  return isByCap(exchange);
}
