import { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { askedWaitMs } from './asked-wait.ts';
import { failureOf } from './failure-of.ts';
import type { WebhookAttempt } from './webhooks.ts';

export interface SendMeans {
  readonly connect: Outbound['connect'];
  /** Timeout of the whole attempt, from address resolution to the last byte of the answer's head. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'now' | 'schedule'>;
  /** Real time, for reading the rest of an answer; no call waits for it. */
  readonly timer: Pick<Clock, 'schedule'>;
}

export interface Sending {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborts when this process ends. */
  readonly gone: AbortSignal;
}

/** The result of sending an event once. */
export interface Sent extends Pick<WebhookAttempt, 'status' | 'failure'> {
  /** The wait that the receiver requests, in ms. */
  readonly askedMs: number | null;
}

const userAgent = 'gatecheck-gateway/1.0';
const maxHeaderBytes = 16 * 1024;
/** How much of the answer's body is read, and for how long: some receivers need to send all of it. */
const restBytes = 4 * 1024;
const restMs = 1_000;

/**
 * POSTs an event once, on a new connection: each attempt resolves the address anew. Any 2xx answer counts as
 * delivered; redirects are not followed. Null if this process ends first; never rejects.
 */
export async function sendEvent(
  means: SendMeans,
  { url, headers, body, gone }: Sending,
): Promise<Sent | null> {
  const { clock, timeoutMs } = means;
  const { origin, pathname, search } = new URL(url);
  const line = openLine(origin, means.connect);
  const abort = new AbortController();
  let isLate = false;
  // An abort signal alone does not end a request that is still connecting.
  const leave = (): void => {
    abort.abort();
    line.end();
  };
  const late = clock.schedule(timeoutMs, () => {
    isLate = true;
    leave();
  });
  gone.addEventListener('abort', leave, { once: true });
  try {
    const answer = await line.client.request({
      method: 'POST',
      path: pathname + search,
      headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...headers },
      body,
      signal: abort.signal,
      reset: true,
    });
    void dropRest(answer.body, means).finally(line.end);
    return judged(answer, clock.now());
  } catch (error) {
    line.end();
    if (gone.aborted) return null;
    return { status: null, failure: isLate ? 'timeout' : failureOf(error), askedMs: null };
  } finally {
    late.cancel();
    gone.removeEventListener('abort', leave);
  }
}

/** A client for one request to one origin. */
function openLine(origin: string, connect: Outbound['connect']): { client: Client; end: () => void } {
  let dialled: unknown = null;
  const client = new Client(origin, {
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
    allowH2: false,
    connect: (options, callback) => {
      // The types do not say so, but a connector returns the socket that it opens.
      dialled = connect(options, callback);
    },
  });
  const end = (): void => {
    if (dialled instanceof Socket) dialled.destroy();
    client.destroy().catch(() => {});
  };
  return { client, end };
}

function judged({ statusCode, headers }: Dispatcher.ResponseData, nowMs: number): Sent {
  const asksToWait = statusCode === 429 || statusCode === 503;
  const askedMs = asksToWait ? askedWaitMs(headers, nowMs) : null;
  return { status: statusCode, failure: failureBy(statusCode), askedMs };
}

function failureBy(status: number): Sent['failure'] {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return 'gone';
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

async function dropRest(rest: Dispatcher.ResponseData['body'], { timer }: SendMeans): Promise<void> {
  rest.on('error', () => {});
  const cut = new AbortController();
  const alarm = timer.schedule(restMs, () => cut.abort());
  await rest.dump({ limit: restBytes, signal: cut.signal }).catch(() => {});
  alarm.cancel();
}
