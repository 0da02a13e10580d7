import { setTimeout as wait } from 'node:timers/promises';
import type { SimulatorControl } from '../../simulators/control/client.ts';
import type { StackClock } from '../engine/clock-control.ts';
import { canWait } from '../engine/facts.ts';
import { longestOutMs } from '../engine/longest-outage.ts';
import { Semaphore } from '../engine/semaphore.ts';
import type { Profile } from '../profile/profile.ts';
import type { DegradedModel, RecoverChannels } from './channel-recovery.ts';
import type { ClockLock } from './clock-lock.ts';
import { probeCall } from './probe-call.ts';

/** What a recovery works with: the gateway's clock where it can be moved, and the lock of its stack. */
export interface RecoveryParts {
  readonly profile: Profile;
  readonly clock: StackClock | null;
  readonly clockLock: ClockLock;
  readonly simulators: SimulatorControl;
}

/** Good calls a model is given to close what is open. */
const probesEach = 2;

/** The same for a model with several channels, so that each of them can have its turn. */
const probesOfRoute = 6;

/** Models that are probed at once. */
const width = 16;

/**
 * Lets a gateway recover by itself, as by reading B-108: time passes until no failure weighs any more, then each
 * worn model gets a good call, so that what is half open closes. Without a clock that can be moved the good calls come
 * first, and time only passes when one is not served and the declared times are short.
 */
export function createRecovery(parts: RecoveryParts): RecoverChannels {
  const { clock, clockLock, profile } = parts;
  return (take) =>
    clockLock.hold(clock === null ? 'read' : 'jump', async () => {
      try {
        const degraded = take();
        let ill = clock === null ? await probeAll(parts, degraded) : degraded;
        for (let round = 0; round < 2 && ill.length > 0; round += 1) {
          if (clock !== null) await clock.advance(longestOutMs(profile));
          else if (canWait(profile)) await wait(longestOutMs(profile));
          else return;
          ill = await probeAll(parts, ill);
        }
      } catch {
        // A stack that is gone shows in the next check, with a reason of its own.
      }
    });
}

/** Probes all of them and returns those that are still not served. */
async function probeAll(parts: RecoveryParts, degraded: readonly DegradedModel[]): Promise<DegradedModel[]> {
  const gate = new Semaphore(width);
  const tenants = new Set(degraded.map(({ tenant }) => tenant));
  await Promise.all([...tenants].map((tenant) => parts.simulators.tenant(tenant).reset()));
  const served = await Promise.all(
    // One at a time in each lane, or its cap would be in the way.
    [...Map.groupBy(degraded, ({ tenant }) => tenant).values()].map((models) =>
      gate.pass(async () => {
        const ill: DegradedModel[] = [];
        for (const model of models) if (!(await recovers(parts, model))) ill.push(model);
        return ill;
      }),
    ),
  );
  return served.flat();
}

/**
 * Whether a model is there for the sake of a broken transport: time mends its breaker, and a call through the broken way
 * lasts as long as the gateway's patience.
 */
function isBehindBrokenListener({ model }: DegradedModel, { upstream }: Profile): boolean {
  return Object.values(upstream?.doors ?? {}).some(
    ({ alone, spared }) => alone === model || spared === model,
  );
}

async function recovers(parts: RecoveryParts, degraded: DegradedModel): Promise<boolean> {
  if (isBehindBrokenListener(degraded, parts.profile)) return true;
  const { routes = [] } = parts.profile.upstream ?? {};
  const channels = routes.find(({ model }) => model === degraded.model)?.channels ?? [];
  const seen = new Set<string>();
  let served = false;
  for (let probe = 0; probe < (channels.length > 1 ? probesOfRoute : probesEach); probe += 1) {
    const channel = await probeOnce(parts, degraded);
    served ||= channel !== null;
    if (channel !== null) seen.add(channel);
    if (served && seen.size >= channels.length) return true;
  }
  return served;
}

/** The simulated channel that served a good call; null when none did. What stands between gateway and us does not count. */
async function probeOnce({ simulators }: RecoveryParts, degraded: DegradedModel): Promise<string | null> {
  const { marker, isServed } = await probeCall(degraded);
  const { entries } = await simulators.tenant(degraded.tenant).journal({ marker });
  const whole = entries.find(
    ({ reply }) => reply.ended === 'complete' && (reply.status ?? 500) < 400 && reply.status !== null,
  );
  return whole?.channel ?? (isServed ? '' : null);
}
