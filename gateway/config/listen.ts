import { z } from 'zod';
import { waitMs } from './waits.ts';

/** Where the gateway listens, and how long it still serves after a request to stop. */
export const listen = z.strictObject({
  host: z.string('must be an address').default('127.0.0.1'),
  port: z
    .int('must be a port number')
    .min(0, 'must be a port number')
    .max(65_535, 'must be a port number')
    .default(0),
  // Meanwhile /readyz reports that the process is leaving.
  leave_ms: waitMs.or(z.literal(0)).default(0),
});
