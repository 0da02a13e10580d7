import type { Reply } from 'gatecheck-simulators/client';
import type { Dialect } from '../profile/dialects.ts';

/** Answers of an upstream that rejects the gateway's own account. */
export interface NativeRejection {
  readonly reply: Reply & { readonly status: number };
  /** The correct status, when the upstream uses another one. */
  readonly meant?: number;
}

export const rejections: Readonly<Record<Dialect, readonly NativeRejection[]>> = {
  'chat-completions': [
    chat(401, 'invalid_api_key', 'The API key is not valid.'),
    chat(401, 'account_deactivated', 'The account was deactivated.'),
    chat(402, 'insufficient_funds', 'The balance is used up.'),
    chat(403, 'access_denied', 'This key may not do that.'),
    chat(403, 'ip_not_authorized', 'Your address is not allowed.'),
    chat(404, 'model_not_found', 'The model does not exist.'),
    chat(429, 'insufficient_quota', 'The quota is used up, see plan and billing.'),
    chat(429, 'rate_limit_exceeded', 'Too many requests.'),
  ],
  messages: [
    messages(401, 'authentication_error', 'invalid x-api-key'),
    messages(402, 'billing_error', 'The balance is used up.'),
    messages(403, 'permission_error', 'This key may not use that resource.'),
    messages(404, 'not_found_error', 'model: bl-4-5-20260801'),
    messages(429, 'rate_limit_error', 'This would exceed the rate limit of your organization.'),
    { ...messages(400, 'invalid_request_error', 'Your credit balance is too low.'), meant: 402 },
    messages(529, 'overloaded_error', 'Overloaded'),
  ],
  'generate-content': [
    generate(401, 'UNAUTHENTICATED', 'The request had invalid authentication credentials.'),
    generate(403, 'PERMISSION_DENIED', 'The caller does not have permission.'),
    {
      ...generate(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'API_KEY_INVALID',
          domain: 'googleapis.com',
        },
      ]),
      meant: 401,
    },
    // The message is for people; programs read only the reason.
    {
      ...generate(400, 'INVALID_ARGUMENT', 'The credential of the project cannot be used.', [
        { '@type': 'type.googleapis.com/google.rpc.Help', links: [] },
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'API_KEY_EXPIRED',
          domain: 'googleapis.com',
        },
      ]),
      meant: 401,
    },
    {
      ...generate(400, 'FAILED_PRECONDITION', 'The free tier is not available here. Enable billing.'),
      meant: 402,
    },
    generate(404, 'NOT_FOUND', 'models/g3p-2026-09 is not found for API version v1beta.'),
    generate(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', quota('PerMinute')),
    generate(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', quota('PerDay')),
    inList(generate(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', quota('PerMinute'))),
  ],
};

function chat(status: number, code: string, message: string): NativeRejection {
  return {
    reply: { status, body: { error: { message, type: 'invalid_request_error', param: null, code } } },
  };
}

function messages(status: number, type: string, message: string): NativeRejection {
  return {
    reply: { status, body: { type: 'error', error: { type, message }, request_id: 'req_native' } },
  };
}

function generate(code: number, status: string, message: string, details: object[] = []): NativeRejection {
  return { reply: { status: code, body: { error: { code, message, status, details } } } };
}

function inList({ reply }: NativeRejection): NativeRejection {
  return { reply: { ...reply, body: [reply.body] } };
}

function quota(period: string): object[] {
  return [
    {
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [{ quotaId: `GenerateRequests${period}PerProjectPerModel`, quotaValue: '15' }],
    },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '38.922534355s' },
  ];
}
