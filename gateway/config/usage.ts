import { z } from 'zod';

/** Retention of usage records. */
export const usage = z.strictObject({
  // Whole days from the end of a request until its record is forgotten; kept for ever where there is none.
  retention_days: z
    .int('must be a whole number of days')
    .min(1, 'must be at least 1')
    .max(36_500, 'must be at most a hundred years')
    .optional(),
  // An account's failed calls that cost nothing cannot fill the disk: the oldest go first.
  uncharged_calls: z
    .int('must be a whole number of calls')
    .min(1_000, 'must be at least 1000')
    .max(100_000_000, 'must be at most a hundred million')
    .default(100_000),
});
