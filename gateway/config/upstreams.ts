import { z } from 'zod';
import { maxCalls, sizeBytes, tokens, whole } from './fields.ts';
import { waitMs } from './waits.ts';

// Calls to upstreams: how long they may take, how much they hold, and when a channel is disabled.

/** Upstream calls that go on without their callers, so that what they cost is known (B-36). */
export const abandonedCalls = z.strictObject({
  time_ms: waitMs.default(20_000),
  calls: whole(0, maxCalls).default(64),
  calls_per_user: whole(0, maxCalls).default(3),
  // Total size of their request bodies kept in memory.
  bytes: sizeBytes.default(32 * 1024 * 1024),
});
export const upstream = z.strictObject({
  connect_timeout_ms: waitMs.default(5_000),
  first_byte_timeout_ms: waitMs.default(30_000),
  idle_timeout_ms: waitMs.default(30_000),
  total_timeout_ms: waitMs.default(600_000),
  answer_bytes: sizeBytes.default(32 * 1024 * 1024),
});
/** The hold of a chat call on the credits of its account (reading B-45). */
export const holds = z.strictObject({
  // The assumed answer length of a request without max_tokens. It exceeds most answers; a longer one overshoots the hold.
  answer_tokens: tokens.default(4_000),
});
export const breaker = z.strictObject({
  consecutive_failures: whole(1, 1000).default(5),
  window_ms: waitMs.max(600_000, 'must be at most ten minutes').default(30_000),
  window_least: whole(1, 1000).default(10),
  window_failure_percent: whole(1, 100).default(50),
  cool_down_ms: z
    .array(waitMs, 'must be a list of waits: the first, then that of each reopening')
    .min(1, 'must name at least one wait')
    .max(16, 'must name at most 16 waits')
    .default([30_000, 60_000]),
  account_out_ms: waitMs.default(300_000),
});
