import type { Check } from '../../engine/check.ts';
import { billingChecks } from './billed.ts';
import { capChecks, capCountsAllProtocols } from './cap.ts';
import { disabledOnEveryPath } from './enabled-models.ts';
import { fallbackChecks } from './fallback.ts';
import { freedChecks } from './freed.ts';
import { imagesOutageChecks } from './images-outage.ts';
import { keyStateChecks, oneKeyOpensAllPaths, otherPlacesAreClean, unknownKeyIsRefused } from './keys.ts';
import { longAnswersAreWhole } from './long-answers.ts';
import { breakerIsOfAllProtocols } from './outage.ts';
import { ownWindowHolds } from './own-window.ts';
import { pathChecks, versionHeaderHasItsName } from './paths.ts';
import { requestFaultChecks } from './request-faults.ts';
import { retryChecks } from './retry.ts';
import { roomComesBackOnCompat } from './room-back.ts';
import { sameAnswerChecks } from './same-answers.ts';
import { sameFailureChecks } from './same-failures.ts';
import { sameRefusalChecks } from './same-refusals.ts';
import { retriedAsItWas } from './same-request.ts';
import { takeoverOnCompat } from './takeover.ts';
import { failedJobsAreForgotten } from './tasks-outage.ts';
import { unknownOnCompatA } from './unknown-paths.ts';

/** What holds for all three chat protocols: requirements of several areas. */
export const facesChecks: readonly Check[] = [
  ...pathChecks,
  versionHeaderHasItsName,
  unknownOnCompatA,
  oneKeyOpensAllPaths,
  otherPlacesAreClean,
  ...keyStateChecks,
  unknownKeyIsRefused,
  ...sameRefusalChecks,
  capCountsAllProtocols,
  ...capChecks,
  ...freedChecks,
  ...retryChecks,
  retriedAsItWas,
  takeoverOnCompat,
  ...fallbackChecks,
  breakerIsOfAllProtocols,
  ...imagesOutageChecks,
  failedJobsAreForgotten,
  roomComesBackOnCompat,
  ...requestFaultChecks,
  ...billingChecks,
  ...sameAnswerChecks,
  longAnswersAreWhole,
  ...sameFailureChecks,
  disabledOnEveryPath,
  ownWindowHolds,
];
