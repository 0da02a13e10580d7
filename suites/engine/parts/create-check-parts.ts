import { createRng } from '../../seed.ts';
import type { StackClock } from '../clock-control.ts';
import { type CaseSettings, Cases } from './cases.ts';
import { CheckClock } from './check-clock.ts';
import type { CheckParts } from './check-parts.ts';
import type { CheckRecord } from './check-record.ts';
import { CheckSender, type SenderSettings } from './check-sender.ts';
import { Judge } from './judge.ts';
import { createLane, type Lane, type LeasedLane } from './lane.ts';
import { Target, type TargetFacts } from './target.ts';
import type { ReachedReceiver } from './webhooks.ts';

/** What the runner hands to one run of one check. */
export interface CheckSurroundings
  extends CaseSettings,
    TargetFacts,
    Pick<SenderSettings, 'client' | 'spend'> {
  readonly lanes: readonly [LeasedLane, ...LeasedLane[]];
  readonly clock: StackClock | null;
  /** Where the deployment can send events; null where it cannot. */
  readonly receiver: ReachedReceiver | null;
}

/** Puts the parts of one check together; what it leaves behind goes into the record. */
export function createCheckParts(around: CheckSurroundings, record: CheckRecord): CheckParts {
  const { checkId, seed, profile, signal } = around;
  const rng = createRng(seed, checkId);
  const clock = new CheckClock(around.clock, profile, signal);
  const sender = new CheckSender(around, record);
  const shared = { profile, signal, receiver: around.receiver, sender, clock, record };
  const laneOf = (leased: LeasedLane, place: number): Lane =>
    createLane(leased, `${seed}:${checkId}${place === 0 ? '' : `:${place}`}`, shared);
  const [leased, ...others] = around.lanes;
  const first = laneOf(leased, 0);
  const channelIds = around.lanes.flatMap(({ channels }) => Object.values(channels));
  return {
    ...first,
    lanes: [first, ...others.map((other, place) => laneOf(other, place + 1))],
    judge: new Judge(record, channelIds, clock),
    cases: new Cases(around, record),
    clock,
    target: new Target(around, rng),
    rng,
  };
}
