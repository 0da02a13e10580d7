import { inLockstep, type LockstepTime } from '../engine/lockstep.ts';
import { longestOutMs } from '../engine/longest-outage.ts';
import type { CheckParts } from '../engine/parts/check-parts.ts';
import { Target } from '../engine/parts/target.ts';
import type { Tenant } from '../engine/parts/tenant.ts';
import { restLateMs } from '../steps/failures/pass-timeouts.ts';
import { createRng } from '../values/seed.ts';
import { askAfterwards, easeWays } from './ask-afterwards.ts';
import type { Cells } from './cells.ts';
import type { History } from './history.ts';
import { playSteps } from './play-history.ts';
import { type Forms, setStage } from './stage.ts';

/** What the histories of one check share. */
export interface Theatre {
  readonly parts: CheckParts;
  readonly forms: Forms;
  /** Tenants on which an earlier history was played. */
  readonly used: Set<string>;
  readonly cells: Cells;
}

/** Plays histories side by side, one on each tenant, round after round, and returns what was wrong with each. */
export async function playAll(theatre: Theatre, all: readonly History[]): Promise<(Error | null)[]> {
  const { parts } = theatre;
  const { tenants } = parts;
  const errors: (Error | null)[] = [];
  for (let start = 0; start < all.length; start += tenants.length) {
    parts.cases.signal.throwIfAborted();
    const round = all.slice(start, start + tenants.length);
    const results = await inLockstep(
      parts.clock,
      round.map((history, place) => (time) => {
        const tenant = tenants[place];
        return tenant === undefined ? Promise.resolve() : playOn(theatre, tenant, time, history);
      }),
    );
    for (const result of results) errors.push(result.status === 'fulfilled' ? null : asError(result.reason));
    if (errors.some((error) => error !== null)) break;
  }
  return errors;
}

async function playOn(
  { parts, forms, used, cells }: Theatre,
  tenant: Tenant,
  time: LockstepTime,
  history: History,
): Promise<void> {
  const { name, ...ofTenant } = tenant;
  const rng = createRng(history.draw, 'history');
  const own: CheckParts = {
    ...parts,
    ...ofTenant,
    ...{ tenants: [tenant], clock: parts.clock.within(time), rng, target: new Target(parts.target, rng) },
  };
  const { profile } = own.target;
  const stage = await setStage(own, time, history.draw, { forms, cells });
  if (used.has(name)) {
    await time.until(time.now() + longestOutMs(profile), own.cases.signal, restLateMs);
    await easeWays(stage);
  }
  used.add(name);
  // What was served before also counts as an outcome, until the window has passed.
  const windowMs = profile.upstream?.breaker?.window_ms ?? 0;
  await time.until(time.now() + windowMs + 1_000, own.cases.signal, restLateMs);
  await playSteps(stage, history.steps);
  await askAfterwards(stage);
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
