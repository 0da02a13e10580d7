import type { WireRequest } from '../wire/client.ts';
import type { ChatOptions, RequestBody } from './requests.ts';

/** The version that the reference request of compat path A names (specification, "Authentication"). */
export const referenceVersion = '2023-06-01';

export interface CompatOptions extends Omit<ChatOptions, 'key'> {
  /** The main key of the lane when left out; null sends no credential. */
  readonly key?: string | null;
}

export interface CompatAOptions extends CompatOptions {
  /** What `compat-a-version` says; the reference's value when left out, null leaves the header out. */
  readonly version?: string | null;
}

export interface CompatBOptions extends CompatOptions {
  /** Asks `:streamGenerateContent?alt=sse`, which is an extension (reading B-91). */
  readonly stream?: boolean;
}

/** A call of compat path A: the key in `x-api-key`, and a version. `headers` stand over what the options say. */
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

/** A call of compat path B: the model in the path, the key in the query. */
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
