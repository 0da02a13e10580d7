import type { Check } from '../../engine/check.ts';
import { brokenHttpIsAnswered, slowHeadIsEnded } from './broken-http.ts';
import { oversizedBodyIsRefused } from './oversized-body.ts';
import { modelNotEnabledIsNotFound, provokedCodeChecks } from './provoked-codes.ts';
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
  upstreamTextStaysInside,
  upstreamAccountIsOurMatter,
  oversizedBodyIsRefused,
  brokenHttpIsAnswered,
  slowHeadIsEnded,
];
