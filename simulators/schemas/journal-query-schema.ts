import { z } from 'zod';
import type { JournalQuery } from '../control/journal.ts';

const count = z
  .string()
  .regex(/^\d{1,9}$/, 'expected a whole number')
  .transform(Number);

/** The query of the journal. Unknown members are rejected. */
export const journalQuerySchema: z.ZodType<JournalQuery> = z.strictObject({
  after: count.exactOptional(),
  marker: z.string().min(1).exactOptional(),
  path: z.string().min(1).exactOptional(),
  body_bytes: count.exactOptional(),
  bodies: z.literal('text').exactOptional(),
  requests: count.exactOptional(),
  waiting: count.exactOptional(),
  ended: count.exactOptional(),
  timeout_ms: count.refine((ms) => ms <= 600_000, 'at most 600000').exactOptional(),
});
