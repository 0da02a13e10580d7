import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { WebhookLimits } from '../config.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { untilDone } from '../work/backoff.ts';
import type { WorkDone } from '../work/work-done.ts';
import type { DueEvent } from './due-event.ts';
import type { EventStore } from './event-store.ts';
import { type AfterAttempt, afterAttempt } from './next-attempt.ts';
import { type Sent, sendEvent } from './send-event.ts';
import { signedHeaders } from './sign.ts';

export interface AttemptParts {
  readonly outbound: Outbound;
  readonly store: Pick<EventStore, 'note'>;
  /** The signing secrets of an account, the newest first. */
  readonly secretsOf: (accountId: string) => Promise<readonly string[]>;
  readonly limits: WebhookLimits;
  readonly clock: Pick<Clock, 'now' | 'schedule'>;
  /** The clock for the timestamps of signatures. */
  readonly wall: Pick<Clock, 'now'>;
  /** Real time. */
  readonly timer: Pick<Clock, 'schedule' | 'sleep'>;
  readonly random: () => number;
  /** Aborts when this process ends. */
  readonly gone: AbortSignal;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Called with each attempt that is on record. */
  readonly onAttempt: (attempt: { readonly state: string; readonly failure: string | null }) => void;
}

/** A receiver is slow if it takes more than this fraction of the timeout. */
const slowPart = 1 / 3;

/**
 * Sends an event once and stores the result. Storing is retried until it succeeds, because the event must not be sent again
 * before. Null if this process ends first; never rejects.
 */
export async function attempt(event: DueEvent, parts: AttemptParts): Promise<WorkDone<DueEvent> | null> {
  const { clock, timer, gone, limits, log } = parts;
  let isLogged = false;
  const later = (error: unknown): void => {
    if (!isLogged)
      log.warn({ err: error, event_id: event.id }, 'an attempt at an event waits for the database');
    isLogged = true;
  };
  const secrets = await untilDone(timer, gone, () => parts.secretsOf(event.accountId), later);
  if (secrets === null) return null;
  const atMs = clock.now();
  const sent = await send(event, secrets.result, parts).catch((error: unknown): Sent => {
    log.error({ err: error, event_id: event.id }, 'an event could not be sent');
    return { status: null, failure: 'connection', askedMs: null };
  });
  if (sent === null) return null;
  const endedAtMs = clock.now();
  const tookMs = Math.max(0, endedAtMs - atMs);
  const after = whatFollows(event, sent, endedAtMs, parts);
  const { status, failure } = sent;
  const outcome = { event, attempt: { atMs, tookMs, status, failure }, after, endedAtMs };
  const noted = await untilDone(timer, gone, () => parts.store.note(outcome), later);
  if (noted === null) return null;
  // The URL is not logged: it may contain secrets of the receiver.
  log.info({ event_id: event.id, status, failure, ms: tookMs, state: after.state }, 'event');
  parts.onAttempt({ state: after.state, failure });
  const wasSlow = failure === 'timeout' || tookMs > limits.timeout_ms * slowPart;
  // If the first write succeeded but its answer was lost, the second write changes nothing.
  return { wasSlow, nextAtMs: noted.result ?? after.nextAtMs };
}

async function send(
  event: DueEvent,
  secrets: readonly string[],
  { outbound, limits, clock, wall, timer, gone }: AttemptParts,
): Promise<Sent | null> {
  const { id, url, body } = event;
  if (isRefused(event, outbound)) return { status: null, failure: 'blocked', askedMs: null };
  const means = { connect: outbound.connect, timeoutMs: limits.timeout_ms, clock, timer };
  return await sendEvent(means, { url, headers: signedHeaders(id, wall.now(), body, secrets), body, gone });
}

function whatFollows(event: DueEvent, sent: Sent, nowMs: number, parts: AttemptParts): AfterAttempt {
  // A URL that is blocked by its text stays blocked. A name may resolve to another address later.
  if (isRefused(event, parts.outbound)) return { state: 'stopped', nextAtMs: null };
  return afterAttempt(sent, event.made + 1, parts.limits, nowMs, parts.random());
}

function isRefused({ url }: DueEvent, outbound: Outbound): boolean {
  return outbound.refuse(url, 'webhook') !== null;
}
