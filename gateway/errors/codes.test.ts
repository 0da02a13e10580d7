import { expect, it } from 'vitest';
import { errorTable } from './codes.ts';
import { errorBody, errorHeaders } from './error-body.ts';
import { GatewayError } from './gateway-error.ts';

it('pairs every code with the status and the type of the table', () => {
  const triples = Object.entries(errorTable).map(([code, row]) => `${code} ${row.status} ${row.type}`);
  expect(triples).toEqual([
    'invalid_api_key 401 auth_error',
    'sk_disabled 401 auth_error',
    'sk_expired 401 auth_error',
    'ip_not_allowed 403 auth_error',
    'admin_token_required 401 auth_error',
    'rate_limit_exceeded 429 rate_limit_error',
    'concurrency_exceeded 429 rate_limit_error',
    'quota_exceeded 429 rate_limit_error',
    'channel_queue_full 429 rate_limit_error',
    'model_not_found 404 invalid_request_error',
    'invalid_param 400 invalid_request_error',
    'context_too_long 400 invalid_request_error',
    'unsupported_capability 400 invalid_request_error',
    'content_filter 400 invalid_request_error',
    'task_not_found 404 invalid_request_error',
    'upstream_error 502 api_error',
    'channel_outage 503 api_error',
    'upstream_timeout 504 api_error',
    'internal_error 500 api_error',
    'webhook_replay 400 invalid_request_error',
    'not_found 404 invalid_request_error',
    'method_not_allowed 405 invalid_request_error',
    'request_timeout 408 invalid_request_error',
    'payload_too_large 413 invalid_request_error',
    'headers_too_large 431 invalid_request_error',
  ]);
});

it('puts all five keys into every error body and the cause into none', () => {
  const refusal = new GatewayError('upstream_error', { channel: 'ch', cause: new Error('raw') });
  expect(errorBody(refusal)).toEqual({
    error: {
      type: 'api_error',
      code: 'upstream_error',
      message: expect.any(String),
      channel: 'ch',
      param: null,
    },
  });
});

it('sends Retry-After and Allow only with refusals that have them', () => {
  expect(errorHeaders(new GatewayError('channel_queue_full', { retryAfterS: 5 }))).toHaveProperty(
    'retry-after',
    '5',
  );
  expect(errorHeaders(new GatewayError('method_not_allowed', { allow: ['GET', 'POST'] }))).toHaveProperty(
    'allow',
    'GET, POST',
  );
  expect(Object.keys(errorHeaders(new GatewayError('not_found')))).toEqual(['content-type']);
});
