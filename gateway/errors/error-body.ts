import type { GatewayError } from './gateway-error.ts';

/** The one error shape (specification, "Errors"): all five keys are always present. */
export interface ErrorBody {
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly message: string;
    readonly channel: string | null;
    readonly param: string | null;
  };
}

/** The only place that builds an error body, for HTTP answers, raw sockets and stream events alike. */
export function errorBody(refusal: GatewayError): ErrorBody {
  const { type, code, message, channel, param } = refusal;
  return { error: { type, code, message, channel, param } };
}

/** Headers that belong to a refusal beside its body. */
export function errorHeaders(refusal: GatewayError): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (refusal.retryAfterS !== null) headers['retry-after'] = String(refusal.retryAfterS);
  if (refusal.allow !== null) headers.allow = refusal.allow.join(', ');
  return headers;
}
