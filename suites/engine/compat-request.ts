import type { WireRequest } from '../wire/client.ts';
import type { ChatOptions, RequestBody } from './requests.ts';

/** The version in the reference request of compat path A (specification, "Authentication"). */
export const referenceVersion = '2023-06-01';

export interface CompatOptions extends Omit<ChatOptions, 'key'> {
  /** The tenant's main key by default; null sends no credential. */
  readonly key?: string | null;
}

export interface CompatAOptions extends CompatOptions {
  /** The value of `compat-a-version`: the reference's value by default; null omits the header. */
  readonly version?: string | null;
}

export interface CompatBOptions extends CompatOptions {
  /** Calls `:streamGenerateContent?alt=sse`, which is an extension (reading B-91). */
  readonly stream?: boolean;
}

/** A call of compat path A, with the key in `x-api-key` and a version. `headers` override the other options. */
export function compatARequest(body: RequestBody, options: CompatAOptions, mainKey: string): WireRequest {
  const { key = mainKey, version = referenceVersion, headers, label = 'compat A' } = options;
  return {
    method: 'POST',
    path: '/compat-a/v1/messages',
    headers: {
      ...(key === null ? {} : { 'x-api-key': key }),
      ...(version === null ? {} : { 'compat-a-version': version }),
      ...headers,
    },
    body,
    label,
  };
}

/** A call of compat path B, with the model in the path and the key in the query. */
export function compatBRequest(
  model: string,
  body: RequestBody,
  options: CompatBOptions,
  mainKey: string,
): WireRequest {
  const { key = mainKey, stream = false, headers, label = 'compat B' } = options;
  const verb = stream ? 'streamGenerateContent' : 'generateContent';
  const query = [
    ...(stream ? ['alt=sse'] : []),
    ...(key === null ? [] : [`key=${encodeURIComponent(key)}`]),
  ].join('&');
  const path = `/compat-b/v1beta/models/${encodeURIComponent(model)}:${verb}`;
  return {
    method: 'POST',
    path: query === '' ? path : `${path}?${query}`,
    headers: { ...headers },
    body,
    label,
  };
}
