import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../../http/parse-json.ts';
import { type FailureReason, failure, type UpstreamFailure } from '../outcome.ts';
import { retryAfterMs } from '../retry-after.ts';
import { statusReason } from '../status-reason.ts';

/** Native error codes and types that say more than the status does. */
const NATIVE_CODES: Readonly<Record<string, FailureReason>> = {
  context_length_exceeded: 'context',
  content_policy_violation: 'policy',
  content_filter: 'policy',
  moderation_blocked: 'policy',
  insufficient_quota: 'exhausted',
  credit_balance_exhausted: 'exhausted',
  project_spend_limit_exceeded: 'exhausted',
  organization_spend_limit_exceeded: 'exhausted',
  organization_usage_limit_exceeded: 'exhausted',
  rate_limit_exceeded: 'busy',
  slow_down: 'busy',
  overloaded_error: 'busy',
  server_error: 'server',
  timeout: 'timeout',
};

/** How servers without codes say that a prompt is too long. The text is only looked at, never passed on. */
const CONTEXT_TEXT = /maximum context length|context length exceeded|prompt is too long/i;

/** Codes that only an answer about the request itself can mean. */
const REQUEST_REASONS: readonly FailureReason[] = ['context', 'policy'];

/**
 * What a native error means: by its body first, because errors come inside a 200 too, then by its status.
 * `status` is that of the answer; an error inside a 200 or inside a stream passes its own, or 200.
 */
export function classifyError(body: unknown, status: number, headers: IncomingHttpHeaders): UpstreamFailure {
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  const param = typeof error.param === 'string' ? topLevelName(error.param) : null;
  const nativeStatus = status >= 400 ? status : numericCode(error.code);
  return failure(reasonOf(error, nativeStatus), `answered ${status} with an error`, {
    status,
    param,
    retryAfterMs: retryAfterMs(headers),
  });
}

function reasonOf(error: Readonly<Record<string, unknown>>, status: number | null): FailureReason {
  const named = [error.code, error.type].flatMap((name) =>
    typeof name === 'string' && Object.hasOwn(NATIVE_CODES, name) ? [NATIVE_CODES[name]] : [],
  )[0];
  if (status === null) return named ?? 'unusable';
  if (status === 400 || status === 422) {
    if (named !== undefined && REQUEST_REASONS.includes(named)) return named;
    return typeof error.message === 'string' && CONTEXT_TEXT.test(error.message) ? 'context' : 'bad_request';
  }
  if (status === 429) return named === 'exhausted' ? 'exhausted' : 'busy';
  return statusReason(status);
}

function numericCode(code: unknown): number | null {
  const status = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code;
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : null;
}

/** The first name in a path such as `messages[1].content` or `messages.[1]`. */
function topLevelName(path: string): string | null {
  return /^[a-z_]{1,40}/.exec(path)?.[0] ?? null;
}
