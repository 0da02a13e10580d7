import { createHmac } from 'node:crypto';
import { type Answer, read } from './wire.ts';

/** A callback from an upstream; omitted members get valid values. */
export interface SentCallback {
  readonly channel?: string;
  readonly id?: string;
  readonly apiKey?: string;
  /** Seconds by which the upstream's clock is ahead of the gateway's. */
  readonly aheadS?: number;
  /** Strings and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** The body that the signature covers, if different. */
  readonly signed?: unknown;
  /** Headers that are added to the valid ones or replace them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The report of an upstream about a finished job. */
export function report(taskId: unknown, callbackType = 'complete'): object {
  return { code: 200, msg: 'success', data: { callbackType, taskId, reference: 'task_1', results: [] } };
}

let sent = 0;

/** Sends a callback; `nowMs` returns the time of the gateway's clock. */
export function sendCallback(url: string, nowMs: () => number, callback: SentCallback = {}): Promise<Answer> {
  sent += 1;
  const { channel = 'studio', id = `cb_${sent}`, apiKey = 'upstream-secret', aheadS = 0 } = callback;
  const { body = report('n1'), signed = body } = callback;
  const timestamp = String(Math.floor(nowMs() / 1000) + aheadS);
  const hmac = createHmac('sha256', apiKey).update(`${id}.${timestamp}.`).update(bytesOf(signed));
  const headers = {
    'callback-id': id,
    'callback-timestamp': timestamp,
    'callback-signature': `v1=${hmac.digest('hex')}`,
    ...callback.headers,
  };
  return read(`${url}/callbacks/${channel}`, { method: 'POST', headers, body: bytesOf(body) });
}

function bytesOf(body: unknown): Buffer {
  return Buffer.from(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
}
