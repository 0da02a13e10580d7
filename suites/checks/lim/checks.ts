import type { Check } from '../../engine/check.ts';
import {
  capHoldsAndFrees,
  capIsTheUsers,
  readsAgainstTheCap,
  streamsHoldTheirSlot,
  userFieldIsOnlyALabel,
} from './cap.ts';
import { capLasts } from './cap-lasting.ts';
import { capCanBeRaised } from './cap-raised.ts';
import {
  maxTokensWithinWindow,
  promptWithinWindow,
  sumInsideWindow,
  sumWithinWindow,
  tooLongHasNoEffect,
  windowIsExact,
} from './context.ts';
import { creditChecks } from './credits.ts';
import { eventAgeIsBounded } from './event-age.ts';
import { everythingCounts } from './everything-counts.ts';
import { figuresAreEnforced } from './figures.ts';
import { fiveKeysShareTheCap } from './many-keys.ts';
import { noChargeChecks } from './no-charge.ts';
import { oversizedMediaAreRefused } from './oversized-media.ts';
import { quotaChecks } from './quota.ts';
import { noRateIsLimited } from './rate.ts';
import { leavingWhileSendingFrees } from './slot-abort-sending.ts';
import { refusedCallsHoldNothing, slotChecks } from './slot-freed.ts';
import { slotRefusalChecks } from './slot-refusals.ts';
import { tasksHoldNoSlot } from './slot-tasks.ts';
import { timeoutsFree } from './slot-timeout.ts';
import { spentChecks } from './spent.ts';
import { spentAccountTakesNoStep } from './spent-steps.ts';
import { submittedIsBounded } from './submitted.ts';

export const limChecks: readonly Check[] = [
  capHoldsAndFrees,
  capIsTheUsers,
  capLasts,
  userFieldIsOnlyALabel,
  streamsHoldTheirSlot,
  readsAgainstTheCap,
  ...slotChecks,
  refusedCallsHoldNothing,
  oversizedMediaAreRefused,
  leavingWhileSendingFrees,
  ...slotRefusalChecks,
  timeoutsFree,
  tasksHoldNoSlot,
  maxTokensWithinWindow,
  windowIsExact,
  promptWithinWindow,
  sumWithinWindow,
  sumInsideWindow,
  tooLongHasNoEffect,
  noRateIsLimited,
  capCanBeRaised,
  fiveKeysShareTheCap,
  ...spentChecks,
  spentAccountTakesNoStep,
  ...quotaChecks,
  ...creditChecks,
  submittedIsBounded,
  ...noChargeChecks,
  everythingCounts,
  figuresAreEnforced,
  eventAgeIsBounded,
];
