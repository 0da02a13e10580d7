import { z } from 'zod';

/** A wait in milliseconds: from 1 to a day. */
export const waitMs = z
  .int('must be a whole number of milliseconds')
  .min(1, 'must be at least 1')
  .max(24 * 3600 * 1000, 'must be at most a day');
