import { setTimeout as wait } from 'node:timers/promises';
import type { SimulatorControl } from 'gatecheck-simulators/client';
import { canWait } from '../engine/has-fact.ts';
import type { Lockstep } from '../engine/lockstep.ts';
import { forgottenMs, longestOutMs } from '../engine/longest-outage.ts';
import { Semaphore } from '../engine/semaphore.ts';
import type { ServedCalls } from '../engine/served-calls.ts';
import { callsAtOnce } from '../profile/calls-at-once.ts';
import type { Profile } from '../profile/profile.ts';
import type { DegradedModel, Recoveries } from './channel-recovery.ts';
import type { ClockLock, ClockUse } from './clock-lock.ts';
import { probeCall } from './probe-call.ts';

/** What a recovery needs: the gateway's time, where it can be moved, and the lock of its stack. */
export interface RecoveryParts {
  readonly profile: Profile;
  readonly time: { readonly lockstep: Lockstep; readonly clock: { readonly aheadMs: number } } | null;
  readonly clockLock: ClockLock;
  readonly simulators: SimulatorControl;
  readonly served: ServedCalls;
}

/** How many good calls a model gets, so that its open breakers can close. */
const probesEach = 2;

/** How many good calls a model with several channels gets, so that each channel gets one. */
const probesOfRoute = 6;

/** The channel of a served call that left no trace in the journal. */
const unseen = '';

/** How much longer a recovery may wait, ms, so that waiting checks can go on at the same time. */
const lateMs = 60_000;

/** How many tenants are probed at once. The clock stands still for all others meanwhile. */
const width = 48;

/** How the degraded models of a gateway recover. */
export function createRecovery(parts: RecoveryParts): Recoveries {
  const { profile, time } = parts;
  return {
    all: recoverAll(parts),
    forgotten: (degraded) => besideOthers(parts, () => probeAll(parts, degraded)),
    forgottenMs: (model) => forgottenMs(profile, model),
    againMs: longestOutMs(profile),
    now: () => Date.now() + (time?.clock.aheadMs ?? 0),
  };
}

/** Runs work beside checks that leave the clock, or beside checks that move it together, while the clock stands still. */
async function besideOthers<T>({ time, clockLock }: RecoveryParts, work: () => Promise<T>): Promise<T> {
  const together: ClockUse | null = time === null ? null : { together: time.lockstep };
  if (time === null || together === null || !clockLock.isUsedBy(together))
    return clockLock.hold('read', work);
  return clockLock.hold(together, async () => {
    const timeline = await time.lockstep.join();
    try {
      return await work();
    } finally {
      timeline.leave();
    }
  });
}

/**
 * Lets a gateway recover by itself, as by reading B-108. Time passes until no failure counts any more. Then each
 * degraded model gets good calls, which close half-open breakers. Without a movable clock the good calls come
 * first. Time then passes only when a call is not served and the declared times are short.
 */
function recoverAll(parts: RecoveryParts): Recoveries['all'] {
  const { time, clockLock, profile } = parts;
  const outMs = longestOutMs(profile);
  return (take) =>
    clockLock.hold(time === null ? 'read' : { together: time.lockstep }, async () => {
      const timeline = await time?.lockstep.join();
      try {
        const degraded = take();
        let ill = timeline === undefined ? await probeAll(parts, degraded) : degraded;
        for (let round = 0; round < 2 && ill.length > 0; round += 1) {
          if (timeline !== undefined) await timeline.until(timeline.now() + outMs, undefined, lateMs);
          else if (canWait(profile)) await wait(outMs);
          else return;
          ill = await probeAll(parts, ill);
        }
      } catch {
        // If the stack is down, the next check reports it with its own reason.
      } finally {
        timeline?.leave();
      }
    });
}

/** Probes all models and returns those that are still not served. */
async function probeAll(parts: RecoveryParts, degraded: readonly DegradedModel[]): Promise<DegradedModel[]> {
  const gate = new Semaphore(width);
  const tenants = new Set(degraded.map(({ tenant }) => tenant));
  await Promise.all([...tenants].map((tenant) => parts.simulators.tenant(tenant).reset()));
  const served = await Promise.all(
    [...Map.groupBy(degraded, ({ tenant }) => tenant).values()].map((models) =>
      gate.pass(async () => {
        const calls = new Semaphore(callsAtOnce(parts.profile));
        const well = await Promise.all(models.map((model) => calls.pass(() => recovers(parts, model))));
        return models.filter((_, place) => well[place] !== true);
      }),
    ),
  );
  return served.flat();
}

/**
 * Whether a model exists only to reach a broken listener. Time alone closes its breaker, and a call through the
 * broken listener would last as long as the gateway's timeout.
 */
function isBehindBrokenListener({ model }: DegradedModel, { upstream }: Profile): boolean {
  return Object.values(upstream?.broken_listeners ?? {}).some(
    ({ alone, spared }) => alone === model || spared === model,
  );
}

async function recovers(parts: RecoveryParts, degraded: DegradedModel): Promise<boolean> {
  if (isBehindBrokenListener(degraded, parts.profile)) return true;
  const { routes = [] } = parts.profile.upstream ?? {};
  const route = routes.find(({ model }) => model === degraded.model)?.channels ?? [];
  const own = route.map(({ name }) => name);
  const seen = new Set<string>();
  for (let probe = 0; probe < (own.length > 1 ? probesOfRoute : probesEach); probe += 1) {
    const channel = await probeOnce(parts, degraded);
    if (channel !== null) seen.add(channel);
    if (seen.size > 0 && own.every((name) => seen.has(name))) return true;
  }
  // A call served by another model's channel proves nothing: this model's breakers may still be open.
  return seen.has(unseen) || (own.length === 0 ? seen.size > 0 : own.some((name) => seen.has(name)));
}

/**
 * The simulated channel that served a good call; null when none did. An answer by something between the gateway
 * and us does not count.
 */
async function probeOnce(
  { simulators, served }: RecoveryParts,
  degraded: DegradedModel,
): Promise<string | null> {
  const { marker, isServed, charged } = await probeCall(degraded);
  if (charged !== null) served.note(degraded.tenant, charged);
  const { entries } = await simulators.tenant(degraded.tenant).journal({ marker });
  const whole = entries.find(
    ({ reply }) => reply.ended === 'complete' && (reply.status ?? 500) < 400 && reply.status !== null,
  );
  return whole?.channel ?? (isServed ? unseen : null);
}
