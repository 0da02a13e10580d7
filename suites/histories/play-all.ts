import { inLockstep, type LockstepTime } from '../engine/lockstep.ts';
import { longestOutMs } from '../engine/longest-outage.ts';
import type { CheckParts } from '../engine/parts/check-parts.ts';
import { Target } from '../engine/parts/target.ts';
import type { Tenant } from '../engine/parts/tenant.ts';
import { restLateMs } from '../steps/failures/pass-timeouts.ts';
import { createRng } from '../values/seed.ts';

/**
 * How many times as many histories a full run draws as a quick one. With forty, histories alone took an hour. `explore` draws for as
 * long as it is given.
 */
export const fullTimes = 12;

/** How histories of a kind are played, each with its own accounts. */
export interface Play<One, Stage> {
  set(own: CheckParts, time: LockstepTime, one: One): Promise<Stage>;
  /** Makes good calls, so that the breakers of an earlier history close. */
  ease(stage: Stage): Promise<void>;
  play(stage: Stage, one: One): Promise<void>;
}

/** What the histories of one check share. `used` are the tenants on which an earlier history was played. */
export interface Theatre {
  readonly parts: CheckParts;
  readonly used: Set<string>;
}

/** Plays histories side by side, one on each tenant, in rounds. Returns the error of each. */
export async function playAll<One extends { readonly draw: number }, Stage>(
  theatre: Theatre,
  all: readonly One[],
  play: Play<One, Stage>,
): Promise<(Error | null)[]> {
  const { parts } = theatre;
  const { tenants } = parts;
  const errors: (Error | null)[] = [];
  for (let start = 0; start < all.length; start += tenants.length) {
    parts.cases.signal.throwIfAborted();
    const round = all.slice(start, start + tenants.length);
    const results = await inLockstep(
      parts.clock,
      round.map((one, place) => (time) => {
        const tenant = tenants[place];
        return tenant === undefined ? Promise.resolve() : playOn(theatre, tenant, time, one, play);
      }),
    );
    for (const result of results) errors.push(result.status === 'fulfilled' ? null : asError(result.reason));
    if (errors.some((error) => error !== null)) break;
  }
  return errors;
}

async function playOn<One extends { readonly draw: number }, Stage>(
  { parts, used }: Theatre,
  tenant: Tenant,
  time: LockstepTime,
  one: One,
  { set, ease, play }: Play<One, Stage>,
): Promise<void> {
  const { name, ...ofTenant } = tenant;
  const rng = createRng(one.draw, 'history');
  const own: CheckParts = {
    ...parts,
    ...ofTenant,
    ...{ tenants: [tenant], clock: parts.clock.within(time), rng, target: new Target(parts.target, rng) },
  };
  const { profile } = own.target;
  await own.forgetScripts();
  const stage = await set(own, time, one);
  if (used.has(name)) {
    await time.until(time.now() + longestOutMs(profile), own.cases.signal, restLateMs);
    await ease(stage);
  }
  used.add(name);
  // Earlier served calls also count as outcomes, until the window has passed.
  const windowMs = profile.upstream?.breaker?.window_ms ?? 0;
  await time.until(time.now() + windowMs + 1_000, own.cases.signal, restLateMs);
  await play(stage, one);
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
