import { naturalTexts } from '../../generators/natural-text.ts';
import { createRng, deriveSeed } from '../../values/seed.ts';
import type { StackClock } from '../clock-control.ts';
import type { ForeignTraffic } from '../foreign-traffic.ts';
import type { Timeline } from '../lockstep.ts';
import type { Semaphore } from '../semaphore.ts';
import type { SlotWatch } from '../slot-watch.ts';
import { type CaseSettings, Cases } from './cases.ts';
import { CheckClock } from './check-clock.ts';
import type { CheckParts } from './check-parts.ts';
import type { CheckRecord } from './check-record.ts';
import type { CheckSender, SenderSettings } from './check-sender.ts';
import { Judge } from './judge.ts';
import { Target, type TargetFacts } from './target.ts';
import { createTenant, type LeasedTenant, type Tenant } from './tenant.ts';
import type { ReachedReceiver } from './webhooks.ts';

/** What the runner hands to one run of one check. */
export interface CheckContext
  extends CaseSettings,
    TargetFacts,
    Pick<SenderSettings, 'client' | 'budget' | 'saw'> {
  readonly tenants: readonly [LeasedTenant, ...LeasedTenant[]];
  readonly clock: StackClock | null;
  /** The check's timeline among the checks that move the clock together; null when it moves the clock alone or not at all. */
  readonly timeline: Timeline | null;
  /** How far the deployment's clock is ahead of ours when it cannot be read, ms. Default: 0. */
  readonly clockSkewMs?: number;
  /** Null for a check of the cap. */
  readonly slots: SlotWatch | null;
  /** Semaphores of users that checks share while they run side by side; null where each has its own account. */
  readonly inFlight: Map<string, Semaphore> | null;
  /** Foreign traffic on the account; null when only this run uses it. */
  readonly traffic: ForeignTraffic | null;
  /** Whether upstreams may pause between the chunks of an answer; false for checks of timing. */
  readonly drawsPace: boolean;
  /** Where the deployment can send events; null where it cannot send any. */
  readonly receiver: ReachedReceiver | null;
}

/** Creates the parts of one check. What the check leaves behind goes into the record. */
export function createCheckParts(around: CheckContext, record: CheckRecord, sender: CheckSender): CheckParts {
  const { checkId, seed, profile, signal, timeline, clockSkewMs: skewMs = 0 } = around;
  const rng = createRng(seed, checkId);
  const clock = new CheckClock(around.clock, profile, signal, { skewMs, timeline });
  const { receiver, slots, traffic, inFlight, drawsPace } = around;
  const shared = { profile, signal, receiver, slots, traffic, inFlight, drawsPace, sender, clock, record };
  // The texts of a tenant must not depend on the order in which tenants send.
  const tenantOf = (leased: LeasedTenant, place: number): Tenant => {
    const purpose = `${checkId}${place === 0 ? '' : `:${place}`}`;
    const texts = naturalTexts(deriveSeed(seed, purpose));
    return createTenant(leased, `${seed}:${purpose}`, { ...shared, texts });
  };
  const [leased, ...others] = around.tenants;
  const first = tenantOf(leased, 0);
  const channelIds = around.tenants.flatMap(({ channels }) => Object.values(channels));
  return {
    ...first,
    tenants: [first, ...others.map((other, place) => tenantOf(other, place + 1))],
    judge: new Judge(record, channelIds, clock),
    cases: new Cases(around, record),
    clock,
    target: new Target(around, rng),
    rng,
  };
}
