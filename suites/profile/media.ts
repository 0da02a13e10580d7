import { z } from 'zod';
import { mediaDialects } from './dialects.ts';

/** The parts of a profile about images, video, audio and tasks. */

const limit = z.int().min(1);
const waitMs = z.int().min(1);
const link = z.url({ protocol: /^https$/, error: 'must be an https URL' });
const origin = z
  .string()
  .refine(
    (text) => /^https?:/.test(text) && URL.parse(text)?.origin === text,
    'must be an origin, like http://host:8080',
  );

/**
 * How a model treats a field that only a shared table lists: refused, or accepted and applied (readings B-48 and
 * B-74). Undeclared, both are allowed.
 */
const sharedFields = z
  .enum(['strict', 'merged'])
  .optional()
  .describe('fields that only a shared table lists: refused, or applied');

export const images = z.strictObject({
  shared_fields: sharedFields,
  prompt_max: limit.default(4_000).describe('characters that a prompt may have'),
  prompt_max_of: z.record(z.string(), limit).default({}).describe('models whose limit is another one'),
});

export const tasks = z.strictObject({
  deadline_ms: waitMs.optional().describe('from submission to EXPIRED, for a job that never ends'),
  retention_ms: waitMs.optional().describe('from the end of a task to task_not_found'),
  poll_ms: waitMs.optional().describe('how often a client may read a task'),
  duration_sec: z
    .enum(['output', 'run-time'])
    .optional()
    .describe('what duration_sec of a task means; only output is compared'),
  states_within_ms: waitMs.default(60_000).describe('how long a task may take if its upstream works'),
});

/** Inputs for requests: URLs that the deployment's upstreams can fetch, and names that they know. */
export const media = z.strictObject({
  image_urls: z.array(link).default([]).describe('images that your upstreams can fetch'),
  video_urls: z.array(link).default([]).describe('videos that your upstreams can fetch'),
  audio_urls: z.array(link).default([]).describe('recordings that your upstreams can fetch'),
  style_ids: z.array(z.string().min(1)).default([]).describe('styles of vector-v3'),
  voice_ids: z.array(z.string().min(1)).default([]).describe('voices of voice-v3'),
  guards: z
    .boolean()
    .optional()
    .describe('whether links to private addresses are refused wherever they stand in a body'),
  origins: z
    .record(origin, origin)
    .default({})
    .describe('an origin in result links, and the one at which Gatecheck can reach it'),
});

export const video = z.strictObject({ shared_fields: sharedFields });

/**
 * Actions that the account may use, each with the body members that it needs besides model, action and
 * parent_task_id. In the strings of a body, $TASK_1 and $TASK_2 stand for the ids of two songs, and $AUDIO_URL for
 * the URL of a recording. A body with $TASK_1 names that song nowhere else.
 */
export const song = z.strictObject({
  actions: z
    .record(
      z.string(),
      z.strictObject({
        body: z.record(z.string(), z.unknown()).default({}).describe('the fields of the action'),
      }),
    )
    .default({}),
});

/** A media model with two channels, the first of which is preferred. */
export const mediaRoute = z.strictObject({
  model: z.string().min(1),
  channels: z
    .array(
      z.strictObject({
        name: z.string().min(1).describe('the channel as the simulators know it'),
        dialect: z.enum(mediaDialects),
        native_model: z.string().optional().describe('the name of the model at this channel'),
      }),
    )
    .min(2),
});

export type MediaProfile = z.infer<typeof media>;
export type MediaRouteProfile = z.infer<typeof mediaRoute>;
