import type { Check } from '../../engine/check.ts';
import { answersComeBack } from './answers.ts';
import { bodyChecks } from './bodies.ts';
import { documentsAreOneAnswer } from './documents.ts';
import { cutShortIsReported } from './endings.ts';
import { errorsAreNormalised, refusedBeforeUpstream } from './errors.ts';
import { brokenStreamIsVisible, policyIsReported, upstreamTextStaysInside } from './failures.ts';
import { fieldsArrive, unknownFieldIsClean } from './fields.ts';
import { requestsArrive } from './forwarded.ts';
import { hintsArrive } from './hints.ts';
import { keyGoesNoFurther, keyIsInItsHeader, keyStateChecks, wrongKeyIsRefused } from './key.ts';
import { visionHolds, windowHolds, windowIsExact } from './limits.ts';
import { linksAreGuarded } from './links.ts';
import {
  everyBetaModelAnswers,
  everyBetaModelStreams,
  idsAreOfTheirOwn,
  nativeStreamIsUnbuffered,
} from './models.ts';
import { noOtherModel, otherModelsReachNoUpstream } from './other-models.ts';
import { richRequestsArrive } from './rich-requests.ts';
import { toolRoundsArrive } from './rounds.ts';
import { systemArrives, systemRoleIsCarried } from './system.ts';
import { usageIsVerbatim } from './usage.ts';
import { versionHeader } from './version.ts';

/** Compat path A: the native messages protocol for the beta models. */
export const compaChecks: readonly Check[] = [
  everyBetaModelAnswers,
  everyBetaModelStreams,
  nativeStreamIsUnbuffered,
  idsAreOfTheirOwn,
  ...bodyChecks,
  systemArrives,
  systemRoleIsCarried,
  requestsArrive,
  richRequestsArrive,
  toolRoundsArrive,
  hintsArrive,
  fieldsArrive,
  unknownFieldIsClean,
  answersComeBack,
  cutShortIsReported,
  usageIsVerbatim,
  keyIsInItsHeader,
  wrongKeyIsRefused,
  ...keyStateChecks,
  keyGoesNoFurther,
  versionHeader,
  noOtherModel,
  otherModelsReachNoUpstream,
  visionHolds,
  linksAreGuarded,
  documentsAreOneAnswer,
  windowHolds,
  windowIsExact,
  errorsAreNormalised,
  refusedBeforeUpstream,
  upstreamTextStaysInside,
  brokenStreamIsVisible,
  policyIsReported,
];
