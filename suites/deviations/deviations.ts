import { answerHeaders } from './answer-headers.ts';
import { datedModelNames } from './dated-model-names.ts';
import type { Deviation } from './deviation.ts';
import { errorMember } from './error-member.ts';
import { finishReasons } from './finish-reasons.ts';
import { lackingMembers } from './lacking-members.ts';
import { noDone } from './no-done.ts';
import { nullMembers } from './null-members.ts';
import { otherModelNames } from './other-model-names.ts';
import { pathPrefix } from './path-prefix.ts';
import { requestHeaders } from './request-headers.ts';
import { taskStates } from './task-states.ts';
import { usageOnRequest } from './usage-on-request.ts';

/** All that a profile may declare. */
export const deviations: readonly Deviation[] = [
  answerHeaders,
  datedModelNames,
  errorMember,
  finishReasons,
  lackingMembers,
  noDone,
  nullMembers,
  otherModelNames,
  pathPrefix,
  requestHeaders,
  taskStates,
  usageOnRequest,
];
