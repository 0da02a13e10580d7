import { z } from 'zod';
import { dialects } from './dialects.ts';

/** A model whose routing is judged, with its channels and its fallback. */
export const route = z.strictObject({
  model: z.string().min(1),
  kind: z
    .enum(['pair', 'trio', 'ranked', 'fallback', 'narrow', 'queued'])
    .describe(
      'pair: two equal channels; trio: three dialects; ranked: the first is preferred; fallback: another model; narrow: one call, no queue; queued: one call, and one that waits',
    ),
  channels: z
    .array(
      z.strictObject({
        name: z.string().min(1).describe('its name at the simulators'),
        dialect: z.enum(dialects),
        native_model: z.string().optional().describe('the name of the model at this channel'),
      }),
    )
    .min(1),
  fallback: z.string().optional().describe('the model that serves after these channels failed'),
  vision: z.boolean().optional().describe('whether it and its fallback accept images'),
  fallback_lacks_vision: z
    .boolean()
    .optional()
    .describe('whether the model accepts images and its fallback does not'),
  fallback_context_tokens: z
    .int()
    .min(1)
    .optional()
    .describe('the context window of its fallback, where that is much smaller than its own'),
});

export type RouteProfile = z.infer<typeof route>;
