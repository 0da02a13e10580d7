import type { Check } from '../../engine/check.ts';
import {
  capHoldsAndFrees,
  capIsTheUsers,
  readsAgainstTheCap,
  streamsHoldTheirSlot,
  userFieldIsOnlyALabel,
} from './cap.ts';
import { maxTokensWithinWindow, promptWithinWindow, tooLongHasNoEffect, windowIsExact } from './context.ts';
import { noRateIsLimited } from './rate.ts';
import { refusedCallsHoldNothing, slotChecks } from './slot-freed.ts';

export const limChecks: readonly Check[] = [
  capHoldsAndFrees,
  capIsTheUsers,
  userFieldIsOnlyALabel,
  streamsHoldTheirSlot,
  readsAgainstTheCap,
  ...slotChecks,
  refusedCallsHoldNothing,
  maxTokensWithinWindow,
  windowIsExact,
  promptWithinWindow,
  tooLongHasNoEffect,
  noRateIsLimited,
];
