import { z } from 'zod';
import type { Latency, Pacing } from '../control/protocol.ts';
import { inPlainWords, passIssues } from '../json/issue.ts';

const durationMs = z.number().nonnegative().max(1e10);

const distribution = z
  .strictObject({
    fixed: durationMs.exactOptional(),
    uniform: z
      .strictObject({ min: durationMs, max: durationMs })
      .refine(({ min, max }) => min <= max, { path: ['max'], message: 'must be at least min' })
      .exactOptional(),
    percentiles: z
      .strictObject({ p50: durationMs.gt(0), p99: durationMs.gt(0) })
      .refine(({ p50, p99 }) => p50 <= p99, { path: ['p99'], message: 'must be at least p50' })
      .exactOptional(),
    log_normal: z
      .strictObject({ median: durationMs, sigma: z.number().nonnegative().max(10), cap: durationMs })
      .exactOptional(),
    trace: z.array(durationMs).min(1).max(100_000).exactOptional(),
  })
  .refine((given) => Object.keys(given).length === 1, {
    message: 'expected one of fixed, uniform, percentiles, log_normal and trace',
  });

/** A wait: a number of ms, or a distribution. The errors of a union would not name the invalid member. */
const latencySchema = z.custom<Latency>().superRefine((given, context) => {
  const schema = typeof given === 'object' && given !== null ? distribution : durationMs;
  passIssues(schema.safeParse(given, inPlainWords), context);
});

/** The waits of an answer. Unknown members are rejected. */
export const pacingSchema: z.ZodType<Pacing> = z.strictObject({
  first_ms: latencySchema.exactOptional(),
  each_ms: latencySchema.exactOptional(),
});
