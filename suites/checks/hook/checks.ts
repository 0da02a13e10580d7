import type { Check } from '../../engine/check.ts';
import { courseChecks } from './course.ts';
import { endedChecks } from './ended.ts';
import { expiredChecks } from './expired.ts';
import { modelEventChecks } from './models.ts';
import { noneChecks } from './none.ts';
import { privateChecks } from './private.ts';
import { redeliveryChecks } from './redelivery.ts';
import { replayChecks } from './replay.ts';
import { slowChecks } from './slow.ts';
import { targetChecks } from './target.ts';

/** The area HOOK: the events that report to callers how their tasks ended. */
export const hookChecks: readonly Check[] = [
  ...endedChecks,
  ...courseChecks,
  ...expiredChecks,
  ...modelEventChecks,
  ...targetChecks,
  ...privateChecks,
  ...noneChecks,
  ...redeliveryChecks,
  ...slowChecks,
  ...replayChecks,
];
