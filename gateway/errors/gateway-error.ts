import { type ErrorCode, type ErrorType, errorTable } from './codes.ts';

export interface RefusalDetails {
  /** Text for the caller; the table's text when absent. Never text from an upstream, a key or a body. */
  readonly message?: string;
  /** The offending field as a bracket path, e.g. `messages[1].tool_call_id`. */
  readonly param?: string | null;
  /** Public id of the upstream channel that failed. */
  readonly channel?: string | null;
  /** Sent as Retry-After, in whole seconds. */
  readonly retryAfterS?: number;
  /** Methods for the Allow header of a 405. */
  readonly allow?: readonly string[];
  /** The code for clients of the messages protocol, in addition to our own. */
  readonly nativeCode?: string;
  /** The real cause, for the log only. */
  readonly cause?: unknown;
}

/** A refusal: every stage that cannot go on throws one, and the one catch turns it into the answer. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly type: ErrorType;
  readonly param: string | null;
  readonly channel: string | null;
  readonly retryAfterS: number | null;
  readonly allow: readonly string[] | null;
  readonly nativeCode: string | null;

  constructor(code: ErrorCode, details: RefusalDetails = {}) {
    const row = errorTable[code];
    super(details.message ?? row.message, { cause: details.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.status = row.status;
    this.type = row.type;
    this.param = details.param ?? null;
    this.channel = details.channel ?? null;
    this.retryAfterS = details.retryAfterS ?? null;
    this.allow = details.allow ?? null;
    this.nativeCode = details.nativeCode ?? null;
  }
}

/** The error for a wrong field of the request. */
export function invalidParam(param: string | null, message: string): GatewayError {
  return new GatewayError('invalid_param', { param, message });
}
