import type { DialectName } from '../catalogue/dialects.ts';
import type { GatewayError } from './gateway-error.ts';

/** The one error shape (specification, "Errors"): all five keys are always present. */
export interface ErrorBody {
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly message: string;
    readonly channel: string | null;
    readonly param: string | null;
    /** The extra fields that clients of generate-content read (B-90). */
    readonly status?: string;
    /** The code by which newer clients of messages distinguish some errors (B-90). */
    readonly details?: { readonly error_code: string };
  };
  /** The marker by which clients of messages recognise an error (B-90). */
  readonly type?: 'error';
}

/** Canonical names of statuses in the generate-content protocol. */
const canonical: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  431: 'INVALID_ARGUMENT',
  500: 'INTERNAL',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/**
 * The only function that builds an error body, for HTTP answers, raw sockets and stream events alike. The common members are
 * the same on every path; the compat paths add what their clients expect (B-90).
 */
export function errorBody(refusal: GatewayError, protocol: DialectName = 'chat-completions'): ErrorBody {
  const { type, code, message, channel, param, status, nativeCode } = refusal;
  const error = { type, code, message, channel, param };
  switch (protocol) {
    case 'chat-completions':
      return { error };
    case 'messages':
      return {
        type: 'error',
        error: { ...error, ...(nativeCode !== null && { details: { error_code: nativeCode } }) },
      };
    case 'generate-content':
      return { error: { ...error, status: canonical[status] ?? 'UNKNOWN' } };
  }
}

/** Headers that belong to a refusal beside its body. */
export function errorHeaders(refusal: GatewayError): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (refusal.retryAfterS !== null) headers['retry-after'] = String(refusal.retryAfterS);
  if (refusal.allow !== null) headers.allow = refusal.allow.join(', ');
  return headers;
}
