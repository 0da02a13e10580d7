import type { WholeAnswer } from '../../answers/whole-answer.ts';

/** The native error body: `{"error":{"code","message","status","details"?}}`, `code` being the HTTP status. */
export interface NativeError {
  readonly code: number;
  readonly message: string;
  /** The canonical name, in capitals. */
  readonly status: string;
  /** Typed messages of `google.rpc`, each with its `@type`. Left out when there are none. */
  readonly details?: readonly object[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** One invalid field in a body that could not be read as the request. */
export interface FieldViolation {
  /** In snake case, with indexes; missing for the body itself. */
  readonly field?: string;
  readonly description: string;
}

/** The API versions as path prefixes: the current one, then the previous one. */
export type ApiVersion = 'v1' | 'v1beta';

export const jsonType = 'application/json; charset=UTF-8';

/** A stream in array form also sends an error as an array. */
export function renderError(error: NativeError, inArray: boolean): WholeAnswer {
  const { code, message, status, details = [], headers = {} } = error;
  const body = { error: { code, message, status, ...(details.length > 0 ? { details } : {}) } };
  return {
    status: code,
    headers: { 'content-type': jsonType, ...headers },
    body: Buffer.from(`${JSON.stringify(inArray ? [body] : body, null, 2)}\n`),
  };
}

/** The body is not the JSON form of the request: unknown members, wrong types. */
export function badPayload(fieldViolations: readonly FieldViolation[]): NativeError {
  return {
    code: 400,
    message: fieldViolations.map(({ description }) => description).join('\n'),
    status: 'INVALID_ARGUMENT',
    details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }],
  };
}

/** A member whose value violates a rule; `field` is its path in snake case, relative to the request. */
export function badField(field: string, reason: string): NativeError {
  return badRequest(`* GenerateContentRequest.${field}: ${reason}\n`);
}

/** A 400 about the request as a whole. */
export function badRequest(message: string): NativeError {
  return { code: 400, message, status: 'INVALID_ARGUMENT' };
}

export function missingKey(): NativeError {
  const message = 'No API key came with the call, and callers without an identity may not use this method.';
  return { code: 403, message, status: 'PERMISSION_DENIED' };
}

/** The error for a bearer token: this upstream accepts only keys. */
export function unknownToken(): NativeError {
  return {
    code: 401,
    message: 'The authentication credentials are not valid: an API key or an OAuth 2 token is expected.',
    status: 'UNAUTHENTICATED',
    details: [errorInfo('ACCESS_TOKEN_TYPE_UNSUPPORTED')],
  };
}

export function badKey(): NativeError {
  const message = 'API key not valid. A valid one is needed.';
  const localized = 'type.googleapis.com/google.rpc.LocalizedMessage';
  return {
    code: 400,
    message,
    status: 'INVALID_ARGUMENT',
    details: [errorInfo('API_KEY_INVALID'), { '@type': localized, locale: 'en-US', message }],
  };
}

export function unknownPath(method: string, path: string): NativeError {
  return { code: 404, message: `There is no method at ${method} ${path}.`, status: 'NOT_FOUND' };
}

export function unknownModel(name: string, version: ApiVersion): NativeError {
  const message = `models/${name} is not found for API version ${version}. Call ListModels for those there are.`;
  return { code: 404, message, status: 'NOT_FOUND' };
}

export function unknownCache(): NativeError {
  const message = 'There is no such CachedContent, or this key may not use it.';
  return { code: 403, message, status: 'PERMISSION_DENIED' };
}

export function bodyTooLarge(): NativeError {
  return { ...badRequest('The request payload is over the size limit.'), headers: { connection: 'close' } };
}

/** The prompt alone exceeds the model's limit. Clients recognise this error by its wording. */
export function inputTooLong(tokens: number, max: number): NativeError {
  return badRequest(
    `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${max}).`,
  );
}

/** The native error for a scripted status without a scripted body. */
export function errorOfStatus(code: number): NativeError {
  if (code === 401) return unknownToken();
  if (code === 429) return quotaExceeded();
  const [status, message] = statusErrors.get(code) ?? [
    code >= 500 ? 'INTERNAL' : 'FAILED_PRECONDITION',
    `The request failed with status ${code}.`,
  ];
  return { code, message, status };
}

const statusErrors: ReadonlyMap<number, readonly [status: string, message: string]> = new Map([
  [400, ['INVALID_ARGUMENT', 'The request has an argument that is not valid.']],
  [403, ['PERMISSION_DENIED', 'The caller may not do that.']],
  [404, ['NOT_FOUND', 'The requested entity was not found.']],
  [409, ['ABORTED', 'The operation was aborted.']],
  [499, ['CANCELLED', 'The operation was cancelled.']],
  [500, ['INTERNAL', 'An internal error has occurred. Try again later.']],
  [501, ['UNIMPLEMENTED', 'The operation is not implemented.']],
  [503, ['UNAVAILABLE', 'The model is overloaded. Try again later.']],
  [504, ['DEADLINE_EXCEEDED', 'The deadline passed before the operation could complete.']],
]);

/** The wait is in the text and, rounded down to seconds, in RetryInfo; there is no header for it. */
function quotaExceeded(): NativeError {
  const metric = 'generativelanguage.googleapis.com/generate_content_free_tier_requests';
  const violation = {
    quotaMetric: metric,
    quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier',
    quotaDimensions: { location: 'global', model: 'g3f-2026-09' },
    quotaValue: '15',
  };
  return {
    code: 429,
    message: `You exceeded your current quota.\n* Quota exceeded for metric: ${metric}, limit: 15\nPlease retry in 38.922534355s.`,
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [violation] },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '38s' },
    ],
  };
}

function errorInfo(reason: string): object {
  return {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'googleapis.com',
    metadata: { service: 'generativelanguage.googleapis.com' },
  };
}
