import { changesId, keepsEventLater } from './event-bugs.ts';
import { chargesBoth, keepsHold, settlesTwice } from './ledger-bugs.ts';
import type { Planted } from './planted.ts';
import { capOffByOne, leavesLeases, twoProbes } from './routing-bugs.ts';
import { goesBack, startsTwice } from './task-bugs.ts';

/** The bugs that the simulation is proven with. */
export const allPlanted: readonly Planted[] = [
  settlesTwice,
  keepsHold,
  chargesBoth,
  twoProbes,
  capOffByOne,
  leavesLeases,
  goesBack,
  startsTwice,
  changesId,
  keepsEventLater,
];
