import type { DialectVersion } from '../../answers/native-answer.ts';
import type { WholeAnswer } from '../../answers/whole-answer.ts';
import type { NativeModel } from './models.ts';

/**
 * A native error. On the wire: `{"type":"error","error":{"type","message"},"request_id"}`. The current version also has
 * `details` in its error, always null here, because these errors have no code.
 */
export interface NativeError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `requestId` is that of the `request-id` header. */
export function renderError(
  { status, type, message, headers = {} }: NativeError,
  requestId: string,
  version: DialectVersion,
): WholeAnswer {
  const error = version === 'current' ? { details: null, type, message } : { type, message };
  const body = { type: 'error', error, request_id: requestId };
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** A 400 for the request. The message begins with the member's path, such as `messages.0.content`. */
export function invalidRequest(message: string): NativeError {
  return { status: 400, type: 'invalid_request_error', message };
}

export function missingKey(version: DialectVersion): NativeError {
  const header = version === 'current' ? 'authorization' : 'x-api-key';
  return { status: 401, type: 'authentication_error', message: `${header}: this header is required` };
}

export function badVersion(given: string | undefined): NativeError {
  return invalidRequest(
    given === undefined
      ? 'anthropic-version: this header is required'
      : `anthropic-version: "${given}" is not a version of this interface`,
  );
}

export function unknownPath(): NativeError {
  return { status: 404, type: 'not_found_error', message: 'Not Found' };
}

export function wrongMethod(): NativeError {
  const headers = { allow: 'POST' };
  return { status: 405, type: 'invalid_request_error', message: 'Method Not Allowed', headers };
}

export function bodyTooLarge(): NativeError {
  const message = 'The request is larger than what is accepted';
  return { status: 413, type: 'request_too_large', message, headers: { connection: 'close' } };
}

export function unknownModel(name: string): NativeError {
  return { status: 404, type: 'not_found_error', message: `model: ${name}` };
}

export function answerTooLong(maxTokens: number, { name, maxOutputTokens }: NativeModel): NativeError {
  return invalidRequest(`max_tokens: ${maxTokens} > ${maxOutputTokens}, the most output tokens of ${name}`);
}

/** The prompt alone exceeds the window. Clients recognise this error by its first four words. */
export function promptTooLong(promptTokens: number, windowTokens: number): NativeError {
  return invalidRequest(`prompt is too long: ${promptTokens} tokens > ${windowTokens} maximum`);
}

/** The native error for a scripted status without a scripted body. */
export function errorOfStatus(status: number): NativeError {
  const known = statusErrors.get(status);
  if (known !== undefined) return { status, ...known };
  const type = status >= 500 ? 'api_error' : 'invalid_request_error';
  return { status, type, message: `The request failed with status ${status}` };
}

const statusErrors: ReadonlyMap<number, Omit<NativeError, 'status'>> = new Map([
  [400, { type: 'invalid_request_error', message: 'The request is not valid' }],
  [401, { type: 'authentication_error', message: 'invalid x-api-key' }],
  [402, { type: 'billing_error', message: 'The credit balance is too low' }],
  [403, { type: 'permission_error', message: 'This key may not use that' }],
  [404, { type: 'not_found_error', message: 'Not Found' }],
  [413, { type: 'request_too_large', message: 'The request is larger than what is accepted' }],
  [
    429,
    {
      type: 'rate_limit_error',
      message: 'The request would exceed the rate limit of the organization',
      headers: { 'retry-after': '20', 'anthropic-ratelimit-requests-remaining': '0' },
    },
  ],
  [500, { type: 'api_error', message: 'Internal server error' }],
  [504, { type: 'timeout_error', message: 'The request timed out' }],
  [529, { type: 'overloaded_error', message: 'Overloaded' }],
]);
