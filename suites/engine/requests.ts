import { createHash } from 'node:crypto';
import { largestBytes } from '../wire/body-bounds.ts';
import type { WireRequest } from '../wire/client.ts';

/** A JSON object that is sent as a body. */
export type JsonObject = Record<string, unknown>;

/** A body: a value that is printed as JSON, or text or bytes that are sent unchanged. */
export type RequestBody = JsonObject | string | Buffer;

export interface ChatOptions {
  /** The tenant's main key by default. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly label?: string;
  /** The longest body of an answer that is read, bytes, where longer answers than usual are expected. */
  readonly maxBytes?: number;
  /** The size of the chunks in which the body is sent; as a whole by default. */
  readonly chunkBytes?: number;
}

export function chatRequest(body: RequestBody, options: ChatOptions, mainKey: string): WireRequest {
  return {
    method: 'POST',
    path: '/api/v1/chat/completions',
    headers: { ...bearer(options.key ?? mainKey), ...options.headers },
    body,
    label: options.label ?? 'chat',
    ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
    ...(options.chunkBytes === undefined ? {} : { chunkBytes: options.chunkBytes }),
  };
}

/** A call of one of the paths for images and tasks. */
export type MediaCall = 'images' | 'submit';

const mediaPaths: Readonly<Record<MediaCall, string>> = {
  images: '/api/v1/images/generations',
  submit: '/api/v1/tasks',
};

export function mediaRequest(
  call: MediaCall,
  body: RequestBody,
  options: ChatOptions,
  mainKey: string,
): WireRequest {
  return {
    method: 'POST',
    path: mediaPaths[call],
    headers: { ...bearer(options.key ?? mainKey), ...options.headers },
    body,
    label: options.label ?? call,
    // Images may be in the answer itself.
    ...(call === 'images' ? { maxBytes: largestBytes } : {}),
  };
}

export function taskReadRequest(taskId: string, options: ChatOptions, mainKey: string): WireRequest {
  return {
    method: 'GET',
    path: `${mediaPaths.submit}/${encodeURIComponent(taskId)}`,
    headers: { ...bearer(options.key ?? mainKey), ...options.headers },
    label: options.label ?? 'read a task',
  };
}

/**
 * Whether a request reads a task that the deployment made. Such reads are repeated any number of times. `issued` contains the
 * id as the path shows it.
 */
export function readsTaskOf({ method, path }: WireRequest, issued: ReadonlySet<string>): boolean {
  const prefix = `${mediaPaths.submit}/`;
  return method === 'GET' && path.startsWith(prefix) && issued.has(path.slice(prefix.length));
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/**
 * A hash of a request. Headers and `?key=` are omitted, because keys differ from stack to stack. So are `issued`, the ids
 * that the deployment made.
 */
export function digestOf(request: WireRequest, issued: Iterable<string> = []): string {
  const body =
    Buffer.isBuffer(request.body) || typeof request.body === 'string'
      ? request.body
      : withoutIssued(JSON.stringify(request.body ?? null), issued);
  return createHash('sha256')
    .update(`${request.method} ${withoutKey(request.path)}\n`)
    .update(body)
    .digest('hex');
}

/** The text with a placeholder for each id that the deployment made. */
export function withoutIssued(text: string, issued: Iterable<string>): string {
  let plain = text;
  for (const id of issued) plain = plain.replaceAll(id, '$TASK');
  return plain;
}

/** A path without the values of `key` in its query: keys differ from stack to stack. */
export function withoutKey(path: string): string {
  return path.replaceAll(/([?&]key=)[^&#]*/g, '$1');
}
