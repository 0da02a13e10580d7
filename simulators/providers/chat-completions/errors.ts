import type { WholeAnswer } from '../../answers/whole-answer.ts';

/** The native error body: `{"error":{"message","type","param","code"}}`. */
export interface NativeError {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export function renderError(error: NativeError): WholeAnswer {
  const { status, message, type, param, code, headers = {} } = error;
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(`${JSON.stringify({ error: { message, type, param, code } }, null, 2)}\n`),
  };
}

/** A 400 about one member of the request. */
export function invalidRequest(message: string, param: string | null, code: string | null): NativeError {
  return { status: 400, message, type: 'invalid_request_error', param, code };
}

export function missingKey(): NativeError {
  const message = 'No API key came with the request. Send it as a bearer token in the Authorization header.';
  return { status: 401, message, type: 'invalid_request_error', param: null, code: null };
}

export function unknownPath(method: string, path: string): NativeError {
  const message = `There is nothing at this address: ${method} ${path}. Check the URL for typing errors.`;
  return { status: 404, message, type: 'invalid_request_error', param: null, code: 'unknown_url' };
}

export function wrongMethod(method: string, path: string, allow = 'POST'): NativeError {
  const message = `${method} is not possible on ${path}.`;
  const headers = { allow };
  return {
    status: 405,
    message,
    type: 'invalid_request_error',
    param: null,
    code: 'method_not_supported',
    headers,
  };
}

export function bodyTooLarge(): NativeError {
  const message = 'The request body is too large.';
  const headers = { connection: 'close' };
  return {
    status: 413,
    message,
    type: 'invalid_request_error',
    param: null,
    code: 'request_too_large',
    headers,
  };
}

export function unknownModel(name: string): NativeError {
  const message = `The model \`${name}\` does not exist, or this key may not use it.`;
  return { status: 404, message, type: 'invalid_request_error', param: null, code: 'model_not_found' };
}

/** The prompt, alone or with the requested completion, does not fit the window. */
export function windowExceeded(
  windowTokens: number,
  promptTokens: number,
  maxTokens: number | null,
): NativeError {
  const asked = maxTokens === null ? '' : ` and ${maxTokens} for the completion`;
  return invalidRequest(
    `This model takes at most ${windowTokens} tokens, but the messages have ${promptTokens}${asked}.`,
    'messages',
    'context_length_exceeded',
  );
}

/** The native error for a scripted status without a scripted body. */
export function errorOfStatus(status: number): NativeError {
  const known = statusErrors.get(status);
  if (known !== undefined) return { status, param: null, ...known };
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  return { status, message: `The request failed with status ${status}.`, type, param: null, code: null };
}

const statusErrors: ReadonlyMap<number, Omit<NativeError, 'status' | 'param'>> = new Map([
  [401, { message: 'The API key is not valid.', type: 'invalid_request_error', code: 'invalid_api_key' }],
  [
    403,
    {
      message: 'This key may not do that.',
      type: 'invalid_request_error',
      code: 'unsupported_country_region',
    },
  ],
  [404, { message: 'The model does not exist.', type: 'invalid_request_error', code: 'model_not_found' }],
  [
    429,
    {
      message: 'Rate limit reached for requests. Try again in 20s.',
      type: 'requests',
      code: 'rate_limit_exceeded',
      headers: {
        'retry-after': '20',
        'retry-after-ms': '20000',
        'x-ratelimit-limit-requests': '10000',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '20s',
      },
    },
  ],
  [500, { message: 'The server failed on this request.', type: 'server_error', code: null }],
  [503, { message: 'The engine is overloaded. Try again later.', type: 'server_error', code: null }],
]);
