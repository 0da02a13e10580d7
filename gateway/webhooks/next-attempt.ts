import { type RawBuilder, sql } from 'kysely';
import type { WebhookLimits } from '../config.ts';
import type { Sent } from './send-event.ts';
import type { EventState } from './webhooks.ts';

/** The state of an event after an attempt. */
export interface AfterAttempt {
  readonly state: EventState;
  /** When it is attempted next; null unless pending. */
  readonly nextAtMs: number | null;
}

type Schedule = Pick<WebhookLimits, 'schedule_ms' | 'jitter_percent' | 'retry_after_most_ms'>;

/** How many points in time a jittered wait can end at. */
const drawPoints = 4;

/**
 * What follows from the `made`th scheduled attempt, counted from 1, that ended at `nowMs`. `draw` is uniform in
 * [0, 1). A receiver's Retry-After can make the wait longer than scheduled, never shorter.
 */
export function afterAttempt(
  { failure, askedMs }: Sent,
  made: number,
  schedule: Schedule,
  nowMs: number,
  draw: number,
): AfterAttempt {
  if (failure === null) return { state: 'delivered', nextAtMs: null };
  if (failure === 'gone') return { state: 'stopped', nextAtMs: null };
  const waitMs = schedule.schedule_ms[made];
  if (waitMs === undefined) return { state: 'given_up', nextAtMs: null };
  const asked = nowMs + Math.min(askedMs ?? 0, schedule.retry_after_most_ms);
  return {
    state: 'pending',
    nextAtMs: Math.max(asked, jittered(waitMs, schedule.jitter_percent, nowMs, draw)),
  };
}

/** The longest wait of an event before its next attempt, in SQL, by the number of scheduled ones that were made (`place`). */
export function longestWaitMs({
  schedule_ms,
  jitter_percent,
  retry_after_most_ms,
}: Schedule): RawBuilder<number> {
  const waits = schedule_ms.map((ms) => Math.ceil((ms * (100 + jitter_percent)) / 100));
  // No receiver has asked for a wait before the first one.
  const askedMs = sql`case when place = 0 then 0 else ${retry_after_most_ms}::bigint end`;
  return sql`greatest((${waits}::bigint[])[place + 1], ${askedMs})`;
}

/**
 * The end of a wait with jitter. Waits of one length end only at a few points in time, so that one poll finds many events.
 * Jitter spreads the load on receivers; the gateway's own polls need no spreading.
 */
function jittered(waitMs: number, percent: number, nowMs: number, draw: number): number {
  const spreadMs = Math.floor((waitMs * percent) / 100);
  const [min, max] = [nowMs + waitMs - spreadMs, nowMs + waitMs + spreadMs];
  const step = Math.floor((max - min) / drawPoints);
  if (step === 0) return nowMs + waitMs;
  const first = Math.ceil(min / step) * step;
  const points = Math.floor((max - first) / step) + 1;
  return first + Math.floor(draw * points) * step;
}
