import type { Fault } from '../../fault-contract/fault.ts';
import { rateLimitRequests, rateLimitTokens, slowDown } from './h1-rate-limits.ts';
import { insufficientQuota } from './h4-insufficient-quota.ts';
import { retryAfterForms } from './h5-retry-after-forms.ts';
import { overloaded503, overloaded529, serverError, unavailable } from './h6-server-errors.ts';
import { quotaOfDay, quotaOfMinute } from './h10-resource-exhausted.ts';
import { cdnHtml } from './h12-cdn-html.ts';
import { upstreamAuth } from './h13-upstream-auth.ts';
import { tooLarge } from './h14-too-large.ts';
import { modelGone } from './h15-model-gone.ts';
import { contextLength } from './h16-context-length.ts';
import { badRequestFault } from './h17-bad-request.ts';
import { policyRefusal } from './h18-policy.ts';
import { tryAgain } from './h19-try-again.ts';
import { empty200 } from './h20-empty-200.ts';
import { errorIn200 } from './h21-error-in-200.ts';
import { wrongContentType } from './h22-wrong-content-type.ts';

/** Group H: what the status and the body of an answer say. */
export const statusFaults: readonly Fault[] = [
  rateLimitRequests,
  rateLimitTokens,
  slowDown,
  insufficientQuota,
  retryAfterForms,
  serverError,
  overloaded503,
  overloaded529,
  unavailable,
  quotaOfMinute,
  quotaOfDay,
  cdnHtml,
  upstreamAuth,
  tooLarge,
  modelGone,
  contextLength,
  badRequestFault,
  policyRefusal,
  tryAgain,
  empty200,
  errorIn200,
  wrongContentType,
];
