import { z } from 'zod';
import { waitMs } from './waits.ts';

/** Bounds of a secret in bytes: a shorter one can be guessed, and no library accepts a longer one. */
const minBytes = 24;
const maxBytes = 64;

/** The key that signs an account's events: `whsec_` and these bytes in base64 (reading B-111). */
export const webhookSecret = z
  .string('must be a text')
  .refine(
    isWebhookSecret,
    `must be whsec_ and ${minBytes} to ${maxBytes} bytes in base64, as openssl rand -base64 32 makes them`,
  );

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** The waits before each delivery attempt (reading B-114). */
const schedule = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

const whole = (min: number, max: number): z.ZodInt =>
  z.int('must be a whole number').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`);

/** Settings for the events that report to callers how a task ended. */
export const webhooks = z.strictObject({
  // Each wait starts at the end of the previous attempt, the first at the end of the task. Jitter lengthens or shortens it.
  schedule_ms: z
    .array(waitMs.or(z.literal(0)), 'must be a list of waits')
    .min(1, 'must name at least one attempt')
    .max(32, 'must name at most 32 attempts')
    .default(schedule),
  jitter_percent: whole(0, 50).default(10),
  // From the address lookup to the last byte of the answer's head.
  timeout_ms: waitMs.default(15_000),
  // The longest wait that a receiver can request with Retry-After.
  retry_after_most_ms: waitMs.default(hour),
  // Concurrent delivery attempts of this process, in total and per receiver.
  at_once: whole(1, 10_000).default(1_000),
  at_once_each: whole(1, 1_000).default(8),
  // How long events are also signed with the previous secret after it was replaced.
  overlap_ms: waitMs.default(24 * hour),
  // A PEM file of CA certificates to trust for receivers beside the usual ones.
  ca: z.string('must be a path').min(1, 'must not be empty').optional(),
});

function isWebhookSecret(text: string): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  if (base64 === undefined || base64.length % 4 !== 0) return false;
  const { length } = Buffer.from(base64, 'base64');
  return length >= minBytes && length <= maxBytes;
}
