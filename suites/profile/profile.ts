import { z } from 'zod';
import { conformanceProfileNames } from './conformance-profiles.ts';
import { container, processSection } from './container.ts';
import { capability, dialectSection } from './dialect.ts';
import { keys, secret } from './keys.ts';
import { images, media, mediaRoute, song, tasks, video } from './media.ts';
import { admin, billing, budget, hooks, pricing } from './money.ts';
import { route } from './route.ts';
import type { Translation } from './translation.ts';
import { webhooks } from './webhooks.ts';

/**
 * A target profile: what a deployment declares about itself, so that the suites need not guess. Only `base_url`
 * and `keys.K1` are required. Anything missing costs only the checks that need it.
 */

const tenant = z.strictObject({
  name: z.string().min(1).describe('the first path segment of its channels at the simulators'),
  keys,
  channels: z
    .record(z.string(), z.string())
    .default({})
    .describe('simulator channel name to public channel id'),
  webhook_secret: secret.optional().describe('the secret that signs events of its account'),
});

const extraModel = z.strictObject({
  id: z.string().min(1),
  context_tokens: z.int().min(1).optional().describe('its context window, if the deployment counts exactly'),
  capabilities: z.array(capability).describe('its capabilities; it lacks all others'),
});

const waitMs = z.int().min(1);

const breaker = z.strictObject({
  consecutive_failures: z.int().min(1).describe('failures in a row that open it'),
  window_ms: waitMs.describe('the time over which outcomes are counted'),
  window_least: z.int().min(1).describe('the window counts from this number of outcomes on'),
  window_failure_percent: z.number().min(1).max(100).describe('failures in the window that open it'),
  cool_down_ms: z.array(waitMs).min(1).describe('its cool-downs, one after the other; the last one repeats'),
  probes: z
    .int()
    .min(1)
    .optional()
    .describe(
      'calls that it lets pass at once after a cool-down; it closes when as many have succeeded; usually 1',
    ),
  account_out_ms: waitMs
    .optional()
    .describe("how long a channel is not used after its upstream refused the deployment's account"),
});

const waiver = z.strictObject({
  owner: z.string().min(1).optional().describe('its owner'),
  id: z.string().min(1).describe('a requirement id, or a check id'),
  aspect: z.string().min(1).optional().describe('an aspect of the rule, as failures name it; all if omitted'),
  place: z.string().min(1).optional().describe('where alone, as failures say: core, or core, beta'),
  seed: z.int().optional().describe('the seed that showed it'),
  reason: z.string().min(1).describe('why it is accepted'),
  until: z.iso.date().optional().describe('last day on which the waiver holds'),
});

/** Headers that a check decides itself, or that follow from the request. */
const ownHeaders = [
  'authorization',
  'host',
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
];

/** The headers of `http.headers`: names and values that HTTP allows. */
export const addedHeaders = z.record(
  z
    .string()
    .regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'is no name of a header')
    .refine(
      (name) => !ownHeaders.includes(name.toLowerCase()),
      'is a header that the checks send themselves',
    ),
  z.string().regex(/^[\t\x20-\x7e]+$/, 'is no value of a header: printable ASCII'),
);

/** The permitted values of a deviation. */
const said = z.union([z.string(), z.array(z.string()), z.record(z.string(), z.string())]);

export const profileSchema = z.strictObject({
  name: z.string().min(1).default('deployment').describe('the name in reports'),
  base_url: z.url({ protocol: /^https?$/ }).describe('the URL before /api/v1, without a trailing slash'),
  container: container.optional().describe('the image or compose file that a run starts and removes'),
  process: processSection.optional().describe('the command that a run starts and ends'),
  dialect: dialectSection
    .optional()
    .describe('how its interface maps to that of the specification: a name, or tables of its own'),
  keys,
  tenants: z
    .array(tenant)
    .default([])
    .describe('accounts with channels of their own, so that checks run in parallel'),
  cap: z
    .strictObject({
      value: z.int().min(1).max(1000).default(3).describe('the default cap'),
      raised: z.int().min(2).max(1000).optional().describe('the cap of the user of keys.raised'),
      gets: z.boolean().default(true).describe('whether GETs count'),
    })
    .prefault({})
    .describe('concurrent requests of a user; whether GETs count'),
  models: z
    .strictObject({
      enabled: z
        .array(z.string())
        .optional()
        .describe('ids enabled for K1; without it GET /api/v1/models decides'),
      disabled_for_no_model: z.string().optional().describe('the model that is disabled for keys.no_model'),
    })
    .prefault({}),
  context: z
    .strictObject({
      k: z
        .union([z.literal(1000), z.literal(1024)])
        .optional()
        .describe('the number of tokens in 1K of a window'),
      tokenizer_exact: z
        .boolean()
        .default(false)
        .describe('whether prompt_tokens is what the window check counts'),
    })
    .prefault({}),
  chat: z
    .strictObject({
      unknown_fields: z
        .enum(['reject', 'ignore', 'forward'])
        .optional()
        .describe('how the deployment treats unknown fields'),
      metadata_value_max: z.int().optional().describe('the longest value of metadata, in characters'),
      json_schema_models: z.array(z.string()).optional().describe('models that accept a JSON schema'),
      media_models: z
        .array(z.string())
        .optional()
        .describe('models that accept PDF, video and audio in image_url blocks'),
      image_links: z
        .array(z.url({ protocol: /^https?$/ }))
        .default([])
        .describe('URLs of images that your upstreams can fetch'),
      extra_models: z
        .array(extraModel)
        .default([])
        .describe('chat models beside the catalogue, enabled for K1'),
    })
    .prefault({}),
  images: images.prefault({}),
  tasks: tasks.prefault({}),
  media: media.prefault({}),
  video: video.prefault({}),
  song: song.prefault({}),
  http: z
    .strictObject({
      body_bytes: z.int().optional().describe('largest request body accepted'),
      direct: z
        .boolean()
        .optional()
        .describe('whether no proxy is in front of the deployment, so that raw bytes reach it'),
      request_id: z
        .string()
        .regex(/^[\w-]+$/)
        .default('x-request-id')
        .describe('the answer header with the id that the usage and ledger hooks use'),
      calls_per_minute: z
        .int()
        .min(1)
        .optional()
        .describe('the calls of a key that the deployment serves in a minute; a run sends no more'),
      header_timeout_ms: z.int().optional().describe('time within which a request head must be complete'),
      headers: addedHeaders.default({}).describe('headers for each request to the deployment'),
      proxy: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe('an outbound proxy'),
    })
    .refine(({ direct, proxy }) => direct !== true || proxy === undefined, {
      path: ['direct'],
      message: 'cannot be true together with http.proxy, which is in front of the deployment',
    })
    .prefault({}),
  upstream: z
    .strictObject({
      control: z.url().describe('control API of the simulators behind the deployment'),
      token: secret.optional().describe('the token of the control API'),
      native_models: z
        .record(z.string(), z.string())
        .default({})
        .describe('model id to its name at the upstream'),
      first_byte_timeout_ms: z.int().default(30_000).describe('timeout for the first byte of an upstream'),
      connect_timeout_ms: waitMs.optional().describe('timeout for a connection to an upstream'),
      idle_timeout_ms: waitMs.optional().describe('timeout for the next byte'),
      total_timeout_ms: waitMs.optional().describe('timeout for the whole answer'),
      processes: z
        .int()
        .min(1)
        .max(100)
        .default(1)
        .describe('processes that share calls, each with its own probes and capacity (reading B-129)'),
      breaker: breaker.optional().describe('the circuit breaker of a channel (reading B-108)'),
      routes: z.array(route).default([]).describe('models whose routing is judged, enabled for K1'),
      media_routes: z
        .array(mediaRoute)
        .default([])
        .describe('models of images and tasks whose routing is judged, enabled for K1'),
      broken_listeners: z
        .record(
          z.string(),
          z.strictObject({
            alone: z.string().describe('the model with only the broken channel'),
            spared: z.string().describe('the model with a healthy channel too'),
          }),
        )
        .default({})
        .describe('models behind broken listeners: alone, and with a healthy channel'),
      keys: z.array(secret).default([]).describe('upstream keys, to detect leaks'),
    })
    .optional(),
  hooks: hooks.prefault({}),
  admin: admin.optional(),
  pricing: pricing.prefault({}),
  billing: billing.prefault({}),
  webhooks: webhooks.prefault({}),
  timeouts: z
    .strictObject({
      answer_ms: z.int().min(100).default(60_000).describe('how long a check waits for an answer'),
    })
    .prefault({}),
  budget: budget.prefault({}).describe('where a run stops'),
  absent: z
    .array(z.string())
    .default([])
    .describe('facts that the deployment does not have: not applicable, not untestable'),
  waivers: z.array(waiver).default([]),
  deviations: z
    .array(z.union([z.string(), z.record(z.string(), said)]))
    .default([])
    .describe('known differences, by name; translated for all other checks'),
  minimum: z
    .partialRecord(z.enum(conformanceProfileNames), z.number().int().min(1).max(100))
    .default({})
    .describe('percent of the rules of a part that must be judged: core-chat, tasks'),
  tls: z
    .strictObject({
      ca: z.string().optional().describe('path of a PEM file'),
      cert: z.string().optional().describe('client certificate: path of a PEM file'),
      key: z.string().optional().describe('its key: path of a PEM file'),
    })
    .refine(({ cert, key }) => (cert === undefined) === (key === undefined), {
      message: 'tls.cert and tls.key belong together',
    })
    .prefault({}),
});

export type Profile = z.infer<typeof profileSchema> & {
  /** The names of the environment variables that the file uses, by value. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Models of the dialect that no check uses, each as a sentence with the reason. */
  readonly leftOut?: readonly string[];
  /** Translates between the specification's names and the deployment's, where they differ. */
  readonly translation?: Translation | undefined;
};

export type ProfileInput = z.input<typeof profileSchema>;
export type KeyName = keyof Profile['keys'];
export type Keys = Profile['keys'];
export type ExtraModel = z.infer<typeof extraModel>;
export type TenantProfile = Profile['tenants'][number];
export type { MediaProfile, MediaRouteProfile } from './media.ts';
export type { RouteProfile } from './route.ts';
export type { WebhookProfile } from './webhooks.ts';
export type BreakerProfile = z.infer<typeof breaker>;
