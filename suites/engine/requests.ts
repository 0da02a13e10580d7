import { createHash } from 'node:crypto';
import type { WireRequest } from '../wire/client.ts';

/** A JSON object on its way to the wire. */
export type JsonObject = Record<string, unknown>;

/** A body: a value to be printed as JSON, or text and bytes that go out as they are. */
export type RequestBody = JsonObject | string | Buffer;

export interface ChatOptions {
  /** The main key of the lane when left out. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly label?: string;
}

export function chatRequest(body: RequestBody, options: ChatOptions, mainKey: string): WireRequest {
  return {
    method: 'POST',
    path: '/api/v1/chat/completions',
    headers: { ...bearer(options.key ?? mainKey), ...options.headers },
    body,
    label: options.label ?? 'chat',
  };
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/** One hash of what a request asks. Headers and `?key=` are left out: they hold keys, which differ from stack to stack. */
export function digestOf(request: WireRequest): string {
  const body =
    Buffer.isBuffer(request.body) || typeof request.body === 'string'
      ? request.body
      : JSON.stringify(request.body ?? null);
  return createHash('sha256')
    .update(`${request.method} ${withoutKey(request.path)}\n`)
    .update(body)
    .digest('hex');
}

/** A path without the values of `key` in its query: keys differ from stack to stack. */
export function withoutKey(path: string): string {
  return path.replaceAll(/([?&]key=)[^&#]*/g, '$1');
}
