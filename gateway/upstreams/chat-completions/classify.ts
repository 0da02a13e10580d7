import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { type FailureReason, failure, type UpstreamFailure } from '../outcome.ts';
import { isOfAccount, namedCause } from '../refusal-words.ts';
import { hintedWaitMs, limitResetMs, retryAfterMs } from '../retry-after.ts';
import { statusReason } from '../status-reason.ts';

/** Native error codes and types that are more specific than the status. */
const nativeCodes: Readonly<Record<string, FailureReason>> = {
  context_length_exceeded: 'context',
  content_policy_violation: 'policy',
  content_filter: 'policy',
  ResponsibleAIPolicyViolation: 'policy',
  moderation_blocked: 'policy',
  invalid_prompt: 'policy',
  insufficient_quota: 'exhausted',
  insufficient_user_quota: 'exhausted',
  exceeded_current_quota_error: 'exhausted',
  credit_balance_exhausted: 'exhausted',
  project_spend_limit_exceeded: 'exhausted',
  organization_spend_limit_exceeded: 'exhausted',
  organization_usage_limit_exceeded: 'exhausted',
  billing_hard_limit_reached: 'exhausted',
  invalid_api_key: 'credentials',
  billing_not_active: 'credentials',
  organization_restricted: 'credentials',
  unsupported_country_region_territory: 'credentials',
  model_not_found: 'credentials',
  rate_limit_exceeded: 'busy',
  rate_limit_error: 'busy',
  slow_down: 'busy',
  capacity_exceeded: 'busy',
  overloaded_error: 'busy',
  server_error: 'server',
  timeout: 'timeout',
  invalid_request_error: 'bad_request',
  BadRequestError: 'bad_request',
  // What the model made does not fit, not what was asked.
  tool_use_failed: 'garbled',
  json_validate_failed: 'garbled',
  data_inspection_failed: 'policy',
  DataInspectionFailed: 'policy',
  Arrearage: 'exhausted',
  insufficient_balance: 'exhausted',
  insufficient_balance_error: 'exhausted',
  Throttling: 'busy',
  'Throttling.RateQuota': 'busy',
  // Numbers of providers that have no names.
  1002: 'busy',
  1008: 'exhausted',
  1026: 'policy',
  1027: 'policy',
  1039: 'context',
  1113: 'exhausted',
  1261: 'context',
  1301: 'policy',
  1302: 'busy',
  1305: 'busy',
  336501: 'busy',
  336502: 'busy',
};

/** Codes that can only concern the request itself, whatever the status. */
const requestReasons: readonly FailureReason[] = ['context', 'policy', 'garbled'];

/** Causes in words that concern this request alone. */
const ofRequests: readonly FailureReason[] = ['context', 'garbled', 'refused'];

/** Our names for the fields that an upstream may reject. */
const ourNames: Readonly<Record<string, string>> = {
  messages: 'messages',
  temperature: 'temperature',
  top_p: 'top_p',
  max_tokens: 'max_tokens',
  max_completion_tokens: 'max_tokens',
  user: 'user',
  seed: 'seed',
  stop: 'stop',
  response_format: 'response_format',
  tools: 'tools',
  functions: 'tools',
  tool_choice: 'tool_choice',
  parallel_tool_calls: 'parallel_tool_calls',
};

/** How an error names the parts of a request, in our terms. */
export interface RequestWords {
  /** Our field for the upstream's path; null when it is not one of ours. */
  fieldOf(path: unknown): string | null;
  /** The field to blame when the request is too large (fault H14). */
  readonly largest: string;
}

const chatWords: RequestWords = { fieldOf: chatField, largest: 'messages' };

/**
 * Classifies a native error: by its body first, because errors also come inside a 200, then by its status.
 * `status` is that of the answer; an error inside a 200 or a stream passes its own status, or 200. The images and
 * jobs dialects use the same error format.
 */
export function classifyError(
  body: unknown,
  status: number,
  headers: IncomingHttpHeaders,
  words: RequestWords = chatWords,
): UpstreamFailure {
  const error = errorIn(body) ?? {};
  const nativeStatus = status >= 400 ? status : numericCode(error.code);
  const reason = reasonOf(error, nativeStatus);
  return failure(reason, `answered ${status} with an error`, {
    status,
    param: nativeStatus === 413 ? words.largest : words.fieldOf(error.param),
    retryAfterMs: reason === 'busy' ? waitOf(error, headers) : retryAfterMs(headers),
  });
}

/**
 * The error in a body; null when there is none. Some servers omit the wrapper, some send only a text, and others
 * use another dialect's format (fault H21).
 */
export function errorIn(body: unknown): JsonObject | null {
  if (!isObject(body)) return null;
  const { error, object, code, choices, msg, message, detail, errors, base_resp: base } = body;
  if (isObject(base) && (base.status_code ?? 0) !== 0)
    return { code: base.status_code, message: base.status_msg };
  const isBlank = isEmpty(error) && Array.isArray(choices) && choices.length > 0;
  if (isObject(error) && !isBlank) return error;
  if (error !== undefined && error !== null && !isBlank) return { ...body, message: error };
  const [first] = Array.isArray(errors) && choices === undefined ? errors : [];
  if (isObject(first)) return first;
  const [fault] = Array.isArray(detail) ? detail : [];
  if (isObject(fault)) return { code: fault.type, message: fault.msg, param: pathOf(fault.loc) };
  const text = message ?? msg ?? body.error_msg ?? detail;
  const isSuccess = ['0', '200'].includes(String(code));
  const isBare = object === 'error' || (choices === undefined && text !== undefined && !isSuccess);
  return isBare ? { ...body, code: code ?? body.error_code, message: text } : null;
}

/** The path of a field that a validating framework lists, from the body on. */
function pathOf(places: unknown): string | null {
  if (!Array.isArray(places)) return null;
  return places.filter((place) => place !== 'body').join('.');
}

/** A value that stands for no error: some proxies add one to every answer. */
function isEmpty(error: unknown): boolean {
  return isObject(error) ? Object.keys(error).length === 0 : ['', false, 0, '0'].includes(error as string);
}

function reasonOf(error: JsonObject, status: number | null): FailureReason {
  const inner = isObject(error.innererror) ? error.innererror.code : undefined;
  const named = [error.code, error.type, inner].flatMap((name) =>
    isName(name) && Object.hasOwn(nativeCodes, name) ? (nativeCodes[name] ?? []) : [],
  );
  const ofRequest = named.find((reason) => requestReasons.includes(reason));
  if (ofRequest !== undefined && (status === null || status < 500)) return ofRequest;
  const reason =
    status === null ? (named[0] ?? namedCause(error.message) ?? 'unusable') : byStatus(status, named, error);
  // A status of no known meaning says only that the request did not pass.
  if (reason === 'refused')
    return namedCause(error.message) ?? named.find((one) => one !== 'bad_request') ?? reason;
  if (reason === 'bad_request') return namedCause(error.message) ?? reason;
  // Some servers call everything that they cannot do for a request a failure of their own.
  const cause = reason === 'server' || status === 404 ? namedCause(error.message) : null;
  return cause !== null && ofRequests.includes(cause) ? cause : reason;
}

function isName(code: unknown): code is string | number {
  return typeof code === 'string' || typeof code === 'number';
}

/** Refusals of the gateway's account come under the statuses of other refusals, too. */
const shared: readonly number[] = [400, 403, 422, 429];

function byStatus(status: number, named: readonly FailureReason[], error: JsonObject): FailureReason {
  const ofAccount = named.find(isOfAccount);
  if (ofAccount !== undefined && shared.includes(status)) return ofAccount;
  // The account's tokens of a minute are fewer than the prompt has: on another channel it may pass.
  if (status === 413 && named.includes('busy')) return 'garbled';
  const { code, type, message } = error;
  const cause = status === 429 ? namedCause(message) : null;
  if (cause !== null && isOfAccount(cause)) return cause;
  return statusReason(status, [code, type, message].filter((word) => typeof word === 'string').join(' '));
}

/** The wait that the headers ask for; else until the limit resets; else the wait in the text. */
function waitOf(error: JsonObject, headers: IncomingHttpHeaders): number | null {
  return retryAfterMs(headers) ?? limitResetMs(headers, error.type) ?? hintedWaitMs(error, headers);
}

function numericCode(code: unknown): number | null {
  const status = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code;
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : null;
}

/** Our field for a path such as `messages[1].content` or `messages.[1]`. */
function chatField(path: unknown): string | null {
  const head = typeof path === 'string' ? (/^[a-z_]{1,40}/.exec(path)?.[0] ?? '') : '';
  return Object.hasOwn(ourNames, head) ? (ourNames[head] ?? null) : null;
}
