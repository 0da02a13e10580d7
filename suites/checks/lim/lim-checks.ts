import type { Check } from '../../engine/check.ts';
import {
  capHoldsAndFrees,
  capIsTheUsers,
  readsAgainstTheCap,
  streamsHoldTheirSlot,
  userFieldIsOnlyALabel,
} from './cap.ts';
import {
  maxTokensWithinWindow,
  promptWithinWindow,
  sumInsideWindow,
  sumWithinWindow,
  tooLongHasNoEffect,
  windowIsExact,
} from './context.ts';
import { noRateIsLimited } from './rate.ts';
import { leavingWhileSendingFrees } from './slot-abort-sending.ts';
import { refusedCallsHoldNothing, slotChecks } from './slot-freed.ts';
import { slotRefusalChecks } from './slot-refusals.ts';
import { timeoutsFree } from './slot-timeout.ts';

export const limChecks: readonly Check[] = [
  capHoldsAndFrees,
  capIsTheUsers,
  userFieldIsOnlyALabel,
  streamsHoldTheirSlot,
  readsAgainstTheCap,
  ...slotChecks,
  refusedCallsHoldNothing,
  leavingWhileSendingFrees,
  ...slotRefusalChecks,
  timeoutsFree,
  maxTokensWithinWindow,
  windowIsExact,
  promptWithinWindow,
  sumWithinWindow,
  sumInsideWindow,
  tooLongHasNoEffect,
  noRateIsLimited,
];
