import { z } from 'zod';

/** A hint that the prompt up to here is worth caching (specification, "Message roles"). Without `ttl`: 5 minutes. */
export interface CacheMark {
  readonly type: 'ephemeral';
  readonly ttl?: '5m' | '1h' | null | undefined;
}

export type CacheMarkSchema = z.ZodType<CacheMark | null | undefined>;

/** For models that honour marks: their upstreams would refuse any other. */
export const honouredMark: CacheMarkSchema = z
  .strictObject(
    {
      type: z.literal('ephemeral', 'must be ephemeral'),
      ttl: z.enum(['5m', '1h'], 'must be 5m or 1h').nullish(),
    },
    'must be an object',
  )
  .nullable();

/** For all others: any object, and nothing of it goes on, so that a fallback cannot turn a hint into an error (B-29). */
export const ignoredMark: CacheMarkSchema = z
  .looseObject({}, 'must be an object')
  .nullable()
  .transform(() => undefined);
