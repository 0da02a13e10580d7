import type { Upstream } from '../http/upstream.ts';

/** A request as a client sent it, with the path that its provider knows. */
export interface PassedRequest {
  readonly method: string;
  /** Starts at the version segment. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** A provider's answer, streamed as it arrives. */
export interface ProviderAnswer {
  readonly status: number;
  /** Without hop-by-hop headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Buffer>;
}

/** Headers that belong to one connection, and cookies, which belong to the provider's own network. */
const ofOneHop =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|set-cookie)$/i;
/** Replaced in the request, because faults could not change a compressed answer. */
const replaced = /^(?:content-length|accept-encoding)$/i;

/** Forwards a request to a provider. Rejects when the provider is unreachable, or `signal` aborts. */
export async function callProvider(
  provider: Upstream,
  { method, path, query, headers, body }: PassedRequest,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const kept = headers.filter(([name]) => !ofOneHop.test(name) && !replaced.test(name));
  const search = query.size === 0 ? '' : `?${query}`;
  const { request: send } = await import('undici');
  const answer = await send(`${provider.origin}${targetOf(provider.pathPrefix, path)}${search}`, {
    method: method as 'POST',
    headers: [...kept.flat(), 'accept-encoding', 'identity'],
    body: body.length === 0 ? null : body,
    signal,
    // A model may think for as long as its client waits.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const given = Object.entries(answer.headers).flatMap(([name, value]) =>
    value === undefined || ofOneHop.test(name) ? [] : [[name, [value].flat().join(', ')] as const],
  );
  return { status: answer.statusCode, headers: Object.fromEntries(given), body: answer.body };
}

/**
 * The path of a request below a base URL. If the base URL has its own version (`/openai/v1`, `/api/paas/v4`), the version of
 * the request is dropped. A first segment that ends the base URL is dropped, too.
 */
function targetOf(prefix: string, path: string): string {
  const first = /^\/[^/]+/.exec(path)?.[0] ?? '';
  if (first !== '' && prefix.endsWith(first)) return prefix + path.slice(first.length);
  const areVersions = /^\/v\d/.test(first) && /\/v\d[^/]*(?:\/|$)/.test(prefix);
  return prefix + (areVersions ? path.slice(first.length) : path);
}
