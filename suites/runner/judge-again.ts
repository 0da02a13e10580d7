import { setTimeout as wait } from 'node:timers/promises';
import { isRed } from 'gatecheck-reports/verdict-words';
import { type ForeignTraffic, isByCap } from '../engine/foreign-traffic.ts';
import { chatRequest } from '../engine/requests.ts';
import { noSlot } from '../engine/slot-watch.ts';
import type { WireClient } from '../wire/client.ts';
import { countOf } from './count-of.ts';
import type { JobResult } from './run-input.ts';

/** More red checks than this are no coincidence: none of them is judged again. */
export const mostDoubted = 12;

/** The same where another client uses the account, so that many may have met it. */
export const mostDoubtedBesideOthers = 60;

/** How often a failure must not show up again before it is called flaky. */
export const repeats = 2;

/** How many looks at which others were met again count for nothing. */
const spoiltLooks = 4;

/** How a check is judged once more. */
export interface Again {
  /** Judges it from its start, with the same cases, while nothing else runs. */
  readonly judge: () => Promise<JobResult>;
  /** How often something was seen that others did with the account; it only grows. */
  readonly sightings: () => number;
}

/** Whether a result is red, or a slot was never free for its calls, so that a second look is worth its time. */
export function isDoubtful({ verdict, not_run, evidence }: JobResult): boolean {
  return (
    not_run === undefined && (isRed(verdict) || evidence.missing.some((fact) => fact.startsWith(noSlot)))
  );
}

/**
 * Judges a doubtful check again. A failure that shows up again stays as it was first seen; one that does not, twice in a
 * row, is `flaky` and keeps what it showed. A check that broke down, or got no slot, has no verdict yet: the first look at
 * which it comes to its end gives one. A look at which others used the account counts only where it is green.
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
const lookEachMs = 200;

/**
 * Waits until a shared account has had a free slot for a while, so that a check which is judged alone begins between
 * the calls of others. It asks by calls that are refused and free, up to a limit. The run has no other call in flight
 * then, so a taken slot proves that others use the account.
 * @returns how long it took, ms
 */
export async function quietAccount(
  client: WireClient,
  key: string,
  { traffic, signal }: { readonly traffic: Pick<ForeignTraffic, 'begin'>; readonly signal: AbortSignal },
): Promise<number> {
  const start = performance.now();
  let quietSince = start;
  while (performance.now() - start < withinMs) {
    const ends = traffic.begin();
    const exchange = await client.send({ ...chatRequest({}, { label: 'is a slot free?' }, key), signal });
    ends(exchange);
    const now = performance.now();
    if (isByCap(exchange)) quietSince = now;
    else if (now - quietSince >= quietMs) break;
    await wait(lookEachMs, undefined, { signal });
  }
  return performance.now() - start;
}
