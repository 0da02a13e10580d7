import { z } from 'zod';
import { flag, imagePrompt, intFrom, taskId, text, withDefault } from './fields.ts';

/** The steps of journey-v7, the first one first (specification, "Multi-step image workflow"; B-61 to B-63). */
export const journeyActions = ['imagine', 'upscale', 'variation', 'reroll'] as const;
export type JourneyAction = (typeof journeyActions)[number];

/** Two integers separated by a colon (B-59). */
const ratio = /^[1-9]\d{0,3}:[1-9]\d{0,3}$/;

const parent = { parent_task_id: taskId };
const index = intFrom(1, 4);

/** The fields of each step; later steps take the prompt and options from their parent. */
export const journeyFields = {
  imagine: {
    action: z.literal('imagine').nullish(),
    prompt: imagePrompt,
    aspect_ratio: text.regex(ratio, 'must be two whole numbers around a colon, such as 7:5').nullish(),
    stylize: withDefault(intFrom(0, 1000), 100),
    weird: withDefault(intFrom(0, 3000), 0),
    chaos: withDefault(intFrom(0, 100), 0),
    tile: withDefault(flag, false),
  },
  upscale: { action: z.literal('upscale'), ...parent, index },
  variation: { action: z.literal('variation'), ...parent, index },
  reroll: { action: z.literal('reroll'), ...parent },
} as const satisfies Record<JourneyAction, z.ZodRawShape>;
