import { setTimeout as wait } from 'node:timers/promises';
import type { SimulatorControl } from '../../simulators/control/client.ts';
import type { StackClock } from '../engine/clock-control.ts';
import { canWait } from '../engine/facts.ts';
import { Gate } from '../engine/gate.ts';
import { longestOutMs } from '../engine/longest-outage.ts';
import type { Profile } from '../profile/profile.ts';
import type { ClockLock } from './clock-lock.ts';
import { probeCall } from './probe-call.ts';
import type { Cure, WornModel } from './quarantine.ts';

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
export function recovery(parts: RecoveryParts): Cure {
  const { clock, clockLock, profile } = parts;
  return (take) =>
    clockLock.hold(clock === null ? 'read' : 'jump', async () => {
      try {
        const worn = take();
        let ill = clock === null ? await probeAll(parts, worn) : worn;
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
async function probeAll(parts: RecoveryParts, worn: readonly WornModel[]): Promise<WornModel[]> {
  const gate = new Gate(width);
  const lanes = new Set(worn.map(({ lane }) => lane));
  await Promise.all([...lanes].map((lane) => parts.simulators.tenant(lane).reset()));
  const served = await Promise.all(
    // One at a time in each lane, or its cap would be in the way.
    [...Map.groupBy(worn, ({ lane }) => lane).values()].map((models) =>
      gate.pass(async () => {
        const ill: WornModel[] = [];
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
function isBehindDoor({ model }: WornModel, { upstream }: Profile): boolean {
  return Object.values(upstream?.doors ?? {}).some(
    ({ alone, spared }) => alone === model || spared === model,
  );
}

async function recovers(parts: RecoveryParts, worn: WornModel): Promise<boolean> {
  if (isBehindDoor(worn, parts.profile)) return true;
  const { routes = [] } = parts.profile.upstream ?? {};
  const channels = routes.find(({ model }) => model === worn.model)?.channels ?? [];
  const seen = new Set<string>();
  let served = false;
  for (let probe = 0; probe < (channels.length > 1 ? probesOfRoute : probesEach); probe += 1) {
    const channel = await probeOnce(parts, worn);
    served ||= channel !== null;
    if (channel !== null) seen.add(channel);
    if (served && seen.size >= channels.length) return true;
  }
  return served;
}

/** The simulated channel that served a good call; null when none did. What stands between gateway and us does not count. */
async function probeOnce({ simulators }: RecoveryParts, worn: WornModel): Promise<string | null> {
  const { marker, isServed } = await probeCall(worn);
  const { entries } = await simulators.tenant(worn.lane).journal({ marker });
  const whole = entries.find(
    ({ reply }) => reply.ended === 'complete' && (reply.status ?? 500) < 400 && reply.status !== null,
  );
  return whole?.channel ?? (isServed ? '' : null);
}
