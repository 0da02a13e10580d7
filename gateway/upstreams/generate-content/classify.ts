import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { type FailureReason, failure, type UpstreamFailure } from '../outcome.ts';
import { parseJson } from '../read-answer.ts';
import { namedCause } from '../refusal-words.ts';
import { hintedWaitMs, retryAfterMs } from '../retry-after.ts';
import { statusReason } from '../status-reason.ts';
import { fieldAtFault } from './field-at-fault.ts';

/** Native statuses that decide alone. For others the details or the HTTP status decide. */
const nativeStatuses: Readonly<Record<string, FailureReason>> = {
  UNAVAILABLE: 'busy',
  INTERNAL: 'server',
  UNKNOWN: 'server',
  DATA_LOSS: 'server',
  ABORTED: 'server',
  CANCELLED: 'server',
  DEADLINE_EXCEEDED: 'timeout',
  PERMISSION_DENIED: 'credentials',
  UNAUTHENTICATED: 'credentials',
};

/** The account may not read a file that the caller named; the account itself is fine. */
const fileText = /\baccess(?:ing)? (?:the |input )?file\b/i;

/**
 * Classifies a native error. `status` is that of the answer, or 200 for an error inside a 200 or a stream. The
 * body may be wrapped in an array, and its message may be the JSON text of the actual error.
 */
export function classifyError(body: unknown, status: number, headers: IncomingHttpHeaders): UpstreamFailure {
  const error = errorIn(body) ?? {};
  const reason = reasonOf(error, status >= 400 ? status : codeOf(error));
  return failure(reason, `answered ${status} with an error`, {
    status,
    param: reason === 'bad_request' ? (fieldAtFault(error) ?? (status === 413 ? 'messages' : null)) : null,
    retryAfterMs: waitOf(error, headers),
  });
}

/** The error object in a body; null when there is none. */
export function errorIn(body: unknown): JsonObject | null {
  const holder: unknown = Array.isArray(body) ? body[0] : body;
  if (!isObject(holder) || !isObject(holder.error)) return null;
  const { message } = holder.error;
  const inner = typeof message === 'string' && message.startsWith('{') ? errorIn(parseJson(message)) : null;
  return inner === null ? holder.error : { ...holder.error, ...inner };
}

function reasonOf(error: JsonObject, code: number | null): FailureReason {
  const message = typeof error.message === 'string' ? error.message : '';
  if (error.status === 'RESOURCE_EXHAUSTED' || code === 429)
    return isQuotaOfTheDay(error) || namedCause(message) === 'exhausted' ? 'exhausted' : 'busy';
  if (error.status === 'PERMISSION_DENIED' && fileText.test(message)) return 'bad_request';
  if (typeof error.status === 'string' && Object.hasOwn(nativeStatuses, error.status))
    return nativeStatuses[error.status] ?? 'unusable';
  const ofStatus = code === null ? null : statusReason(code, message);
  if (ofStatus !== null && ofStatus !== 'bad_request') return ofStatus;
  // The account may not use the service as it is, because of its location or its billing.
  if (error.status === 'FAILED_PRECONDITION') return 'credentials';
  if (code === null && error.status !== 'INVALID_ARGUMENT') return 'unusable';
  return isKeyRefused(error) ? 'credentials' : (namedCause(message) ?? 'bad_request');
}

/**
 * An exceeded quota names its period: a minute is soon over, a day lasts until tomorrow (faults H10, H11). That
 * our credit is spent shows only in the text.
 */
function isQuotaOfTheDay(error: JsonObject): boolean {
  const violations = detailsOf(error).flatMap((detail) =>
    Array.isArray(detail.violations) ? detail.violations.filter(isObject) : [],
  );
  return violations.some(({ quotaId }) => typeof quotaId === 'string' && quotaId.includes('PerDay'));
}

function isKeyRefused(error: JsonObject): boolean {
  return detailsOf(error).some(({ reason }) => typeof reason === 'string' && reason.startsWith('API_KEY_'));
}

/** The wait is in a header, a detail or only in the text; the longest counts, because some are truncated to seconds. */
function waitOf(error: JsonObject, headers: IncomingHttpHeaders): number | null {
  const waits = [retryAfterMs(headers), hintedWaitMs(error, headers)];
  return Math.max(0, ...waits.map((ms) => ms ?? 0)) || null;
}

function detailsOf({ details }: JsonObject): JsonObject[] {
  return Array.isArray(details) ? details.filter(isObject) : [];
}

function codeOf({ code }: JsonObject): number | null {
  return typeof code === 'number' && code >= 400 && code <= 599 ? code : null;
}
