import { Readable } from 'node:stream';
import { Agent, request } from 'undici';

/** A `fetch` for one store that follows no redirect and times out on silence. */
export interface S3Fetch {
  readonly fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

/** Longer than a nearby store needs, and shorter than the timeout of a request. */
const connectMs = 5_000;
const withoutBody: readonly number[] = [204, 304];

/**
 * Makes the `fetch` that the S3 library uses. The operator chose the address, so it may be private, unlike links of callers
 * and upstreams. The body is sent without the copy that the usual `fetch` makes.
 */
export function createS3Fetch(timeoutMs: number): S3Fetch {
  const agent = new Agent({
    connect: { timeout: Math.min(connectMs, timeoutMs) },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    allowH2: false,
  });
  const fetch = async (url: unknown, { method = 'GET', headers, body, signal }: RequestInit = {}) => {
    const reply = await request(String(url), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' || body instanceof Uint8Array ? body : null,
      signal: signal ?? null,
      dispatcher: agent,
    });
    const pairs = Object.entries(reply.headers).flatMap(([name, value = []]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    );
    const isEmpty = method === 'HEAD' || withoutBody.includes(reply.statusCode);
    if (isEmpty) await reply.body.dump();
    return new Response(isEmpty ? null : Readable.toWeb(reply.body), {
      status: reply.statusCode,
      headers: pairs,
    });
  };
  return { fetch, close: () => agent.destroy() };
}
