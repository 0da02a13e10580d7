import type { Check } from '../../engine/check.ts';
import { brokenHttpIsAnswered, slowHeadIsEnded } from './broken-http.ts';
import { imagesTextStaysInside } from './images-text.ts';
import { ownFailureIsInternalError } from './internal-error.ts';
import { jobsTextStaysInside } from './jobs-text.ts';
import { mediaAccountIsOurMatter } from './media-account.ts';
import { mediaBodiesAreObjects } from './media-bodies.ts';
import { oddErrorsAreUnderstood } from './odd-errors.ts';
import { oversizedBodyIsRefused } from './oversized-body.ts';
import { modelNotEnabledIsNotFound, provokedCodeChecks } from './provoked-codes.ts';
import { spentIsQuotaExceeded } from './quota-exceeded.ts';
import { taskNotFoundIsItsOwn } from './task-not-found.ts';
import { upstreamAccountIsOurMatter } from './upstream-account.ts';
import {
  noAnswerIsUpstreamError,
  policyBlockIsContentFilter,
  unclassifiableIsUpstreamError,
  upstreamWindowIsContextTooLong,
} from './upstream-codes.ts';
import { upstreamTextStaysInside } from './upstream-text.ts';
import { silenceIsUpstreamTimeout } from './upstream-timeout.ts';

export const errChecks: readonly Check[] = [
  ...provokedCodeChecks,
  modelNotEnabledIsNotFound,
  policyBlockIsContentFilter,
  upstreamWindowIsContextTooLong,
  unclassifiableIsUpstreamError,
  noAnswerIsUpstreamError,
  silenceIsUpstreamTimeout,
  ownFailureIsInternalError,
  upstreamTextStaysInside,
  imagesTextStaysInside,
  jobsTextStaysInside,
  oddErrorsAreUnderstood,
  upstreamAccountIsOurMatter,
  mediaAccountIsOurMatter,
  oversizedBodyIsRefused,
  mediaBodiesAreObjects,
  brokenHttpIsAnswered,
  slowHeadIsEnded,
  spentIsQuotaExceeded,
  taskNotFoundIsItsOwn,
];
