/** The error table of the specification ("Errors"): each code with its HTTP status and its type. */
export const errorTable = {
  invalid_api_key: { status: 401, type: 'auth_error' },
  sk_disabled: { status: 401, type: 'auth_error' },
  sk_expired: { status: 401, type: 'auth_error' },
  ip_not_allowed: { status: 403, type: 'auth_error' },
  admin_token_required: { status: 401, type: 'auth_error' },
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error' },
  concurrency_exceeded: { status: 429, type: 'rate_limit_error' },
  quota_exceeded: { status: 429, type: 'rate_limit_error' },
  channel_queue_full: { status: 429, type: 'rate_limit_error' },
  model_not_found: { status: 404, type: 'invalid_request_error' },
  invalid_param: { status: 400, type: 'invalid_request_error' },
  context_too_long: { status: 400, type: 'invalid_request_error' },
  unsupported_capability: { status: 400, type: 'invalid_request_error' },
  content_filter: { status: 400, type: 'invalid_request_error' },
  task_not_found: { status: 404, type: 'invalid_request_error' },
  upstream_error: { status: 502, type: 'api_error' },
  channel_outage: { status: 503, type: 'api_error' },
  upstream_timeout: { status: 504, type: 'api_error' },
  internal_error: { status: 500, type: 'api_error' },
  webhook_replay: { status: 400, type: 'invalid_request_error' },
} as const satisfies Record<string, { status: number; type: string }>;

export type ErrorCode = keyof typeof errorTable;

/** Error codes for a model of another endpoint, path or kind (readings B-31, B-53 and B-95). */
export const otherKindCodes: readonly [ErrorCode, ...ErrorCode[]] = [
  'model_not_found',
  'invalid_param',
  'unsupported_capability',
];

/** Error codes for any call with a key that must not be used. */
export const keyCodes: readonly ErrorCode[] = [
  'invalid_api_key',
  'sk_disabled',
  'sk_expired',
  'ip_not_allowed',
];

export const errorTypes = ['auth_error', 'rate_limit_error', 'invalid_request_error', 'api_error'] as const;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}
