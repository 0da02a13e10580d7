import { request } from 'undici';
import { type Answer, post } from './post.ts';

const authorization = 'Bearer sk-upstream';

/** Requests images. */
export function postImages(
  base: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return post(`${base}/images/generations`, body, { authorization, ...headers });
}

/** Submits a job of the jobs dialect, optionally with an idempotency key. */
export function postJob(base: string, body: unknown, key?: string): Promise<Answer> {
  const named: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  return post(`${base}/jobs`, body, { authorization, ...named });
}

/** Submits a job of the callback-jobs dialect. */
export function postGenerate(base: string, body: unknown): Promise<Answer> {
  return post(`${base}/generate`, body, { authorization });
}

/** A body read to its end. */
export interface Got {
  readonly status: number;
  readonly type: string | undefined;
  readonly retryAfter: string | undefined;
  readonly bytes: Buffer;
  json<T = Record<string, unknown>>(): T;
}

/** Reads a job, a record or a file. Files ignore the key. */
export async function get(url: string): Promise<Got> {
  const { statusCode: status, headers, body } = await request(url, { headers: { authorization } });
  const bytes = Buffer.from(await body.arrayBuffer());
  const header = (name: string): string | undefined =>
    typeof headers[name] === 'string' ? headers[name] : undefined;
  return {
    status,
    type: header('content-type'),
    retryAfter: header('retry-after'),
    bytes,
    json: () => JSON.parse(bytes.toString()),
  };
}
