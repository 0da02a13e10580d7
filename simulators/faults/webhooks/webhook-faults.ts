import type { Fault } from '../../fault-contract/fault.ts';
import { duplicate } from './w1-duplicate.ts';
import { outOfOrder } from './w2-out-of-order.ts';
import { early } from './w3-early.ts';
import { never } from './w4-never.ts';
import { forged } from './w5-forged.ts';
import { stale } from './w6-stale.ts';
import { mutated } from './w7-mutated.ts';
import { pollRace } from './w8-poll-race.ts';

/** The faults of what upstreams report of their jobs without being asked (W); W9 and W10 are met at receivers. */
export const webhookFaults: readonly Fault[] = [
  duplicate,
  outOfOrder,
  early,
  never,
  forged,
  stale,
  mutated,
  pollRace,
];
