/** The four families an error belongs to (specification, "Errors"). */
export const errorTypes = ['auth_error', 'rate_limit_error', 'invalid_request_error', 'api_error'] as const;
export type ErrorType = (typeof errorTypes)[number];

interface ErrorRow {
  readonly status: number;
  readonly type: ErrorType;
  /** The default text for the caller. */
  readonly message: string;
}

const auth = 'auth_error';
const rate = 'rate_limit_error';
const request = 'invalid_request_error';
const api = 'api_error';

/**
 * Every error code with its only status and type. The first twenty are the specification's table. The last five are
 * documented extensions for errors before the table applies: unknown path, wrong method, limits of the transport.
 */
export const errorTable = {
  invalid_api_key: {
    status: 401,
    type: auth,
    message: 'No valid API key was given in the place that this path takes it from.',
  },
  sk_disabled: { status: 401, type: auth, message: 'This API key is disabled.' },
  sk_expired: { status: 401, type: auth, message: 'This API key has expired.' },
  ip_not_allowed: { status: 403, type: auth, message: 'This API key may not be used from your address.' },
  admin_token_required: { status: 401, type: auth, message: 'This path needs an admin token.' },
  rate_limit_exceeded: { status: 429, type: rate, message: 'Too many requests for this account.' },
  concurrency_exceeded: { status: 429, type: rate, message: 'Too many requests in flight for this user.' },
  quota_exceeded: {
    status: 429,
    type: rate,
    message: 'The token quota or the credits of this account are used up.',
  },
  channel_queue_full: {
    status: 429,
    type: rate,
    message: 'No upstream channel has room for this model right now.',
  },
  model_not_found: {
    status: 404,
    type: request,
    message: 'This model does not exist or is not enabled for you.',
  },
  invalid_param: { status: 400, type: request, message: 'The request is not valid.' },
  context_too_long: {
    status: 400,
    type: request,
    message: 'Prompt and max_tokens do not fit the context window.',
  },
  unsupported_capability: {
    status: 400,
    type: request,
    message: 'The model lacks a capability that was asked for.',
  },
  content_filter: {
    status: 400,
    type: request,
    message: 'The upstream content policy blocked this request.',
  },
  task_not_found: { status: 404, type: request, message: 'There is no such task.' },
  upstream_error: {
    status: 502,
    type: api,
    message: 'The upstream failed in a way that could not be classified.',
  },
  channel_outage: {
    status: 503,
    type: api,
    message: 'Every upstream channel of this model is out of service.',
  },
  upstream_timeout: { status: 504, type: api, message: 'The upstream did not answer in time.' },
  internal_error: { status: 500, type: api, message: 'Something went wrong on our side.' },
  webhook_replay: { status: 400, type: request, message: 'The webhook timestamp is too old.' },
  not_found: { status: 404, type: request, message: 'There is no such path.' },
  method_not_allowed: { status: 405, type: request, message: 'This path does not take this method.' },
  request_timeout: { status: 408, type: request, message: 'The request did not arrive in time.' },
  payload_too_large: { status: 413, type: request, message: 'The request body is too large.' },
  headers_too_large: { status: 431, type: request, message: 'The request header is too large.' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;
