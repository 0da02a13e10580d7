import { createHmac } from 'node:crypto';
import { type Answer, read } from './wire.ts';

/** A callback as an upstream sends it; what is left out is as it should be. */
export interface SentCallback {
  readonly channel?: string;
  readonly id?: string;
  readonly apiKey?: string;
  /** Seconds between the clock of the upstream and the one that it is judged by. */
  readonly aheadS?: number;
  /** A text or bytes go as they are, anything else as JSON. */
  readonly body?: unknown;
  /** The body that the signature is for. */
  readonly signed?: unknown;
  /** Headers beside those that are as they should be, and in their place. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an upstream says when a job is done. */
export function report(taskId: unknown, callbackType = 'complete'): object {
  return { code: 200, msg: 'success', data: { callbackType, taskId, reference: 'task_1', results: [] } };
}

let sent = 0;

/** Sends a callback; `nowMs` is what the clock of the gateway says. */
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
