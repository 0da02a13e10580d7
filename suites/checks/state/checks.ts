import type { Check } from '../../engine/check.ts';
import { expiryChecks } from './expiry.ts';
import { failedJobFails } from './failures.ts';
import { moveChecks } from './moves.ts';
import { imageCallsAreNoTasks } from './no-task.ts';
import { unknownIdChecks } from './unknown-ids.ts';

export const stateChecks: readonly Check[] = [
  ...moveChecks,
  failedJobFails,
  ...expiryChecks,
  ...unknownIdChecks,
  imageCallsAreNoTasks,
];
