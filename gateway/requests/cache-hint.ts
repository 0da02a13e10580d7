import { z } from 'zod';

/** A hint that the prompt up to here is worth caching (specification, "Message roles"). Without `ttl`: 5 minutes. */
export interface CacheHint {
  readonly type: 'ephemeral';
  readonly ttl?: '5m' | '1h' | null | undefined;
}

export type CacheHintSchema = z.ZodType<CacheHint | null | undefined>;

/** For models that honour cache hints: their upstreams would reject any other. */
export const honouredHint: CacheHintSchema = z
  .strictObject(
    {
      type: z.literal('ephemeral', 'must be ephemeral'),
      ttl: z.enum(['5m', '1h'], 'must be 5m or 1h').nullish(),
    },
    'must be an object',
  )
  .nullable();

/**
 * For all other models: any object, which is not forwarded, so that a fallback cannot turn a hint into an error
 * (B-29).
 */
export const ignoredHint: CacheHintSchema = z
  .looseObject({}, 'must be an object')
  .nullable()
  .transform(() => undefined);
