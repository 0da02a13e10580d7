import { z } from 'zod';
import { allCapabilities } from './catalogue/chat-models.ts';
import { channelDialects } from './catalogue/dialects.ts';
import { adminAccess } from './config/admin.ts';
import { extensions } from './config/extensions.ts';
import {
  cap,
  cidr,
  filledText,
  flag,
  id,
  maxCalls,
  modelId,
  monthlyTokens,
  sizeBytes,
  tokens,
  whole,
} from './config/fields.ts';
import { type ListPrice, priceSchema } from './config/list-price.ts';
import { listen } from './config/listen.ts';
import { media } from './config/media.ts';
import { checkModelNames } from './config/model-names.ts';
import { markupBp, usdAmount, usdOrNone } from './config/money.ts';
import { allowedHosts, outbound, resolverAnswers } from './config/outbound.ts';
import { store } from './config/store.ts';
import { abandonedCalls, breaker, holds, upstream } from './config/upstreams.ts';
import { usage } from './config/usage.ts';
import { waitMs } from './config/waits.ts';
import { webhookSecret, webhooks } from './config/webhooks.ts';

/** A day in milliseconds. The longest configurable wait is 366 days. */
const maxMs = 24 * 3600 * 1000;
const longWaitMs = z
  .int('must be a whole number of milliseconds')
  .min(1, 'must be at least 1')
  .max(366 * maxMs, 'must be at most a year');
const instant = z
  .union([z.date(), z.string()], 'must be a date and time such as 2027-01-01T00:00:00Z')
  .transform((value) => new Date(value).getTime())
  .refine((ms) => !Number.isNaN(ms), 'must be a date and time such as 2027-01-01T00:00:00Z');
const baseUrl = z
  .string('must be a URL')
  .refine(isHttpUrl, 'must be an http or https URL without query')
  .transform((url) => url.replace(/\/+$/, ''));

const user = z.strictObject({ id, cap: cap.default(3) });
const app = z.strictObject({
  id,
  markup_bp: markupBp.default(0),
  model_markup_bp: z.record(modelId, markupBp, 'must map model ids to basis points').default({}),
});
const key = z.strictObject({
  id,
  user: id,
  app: id,
  secret: z
    .string('must be a text')
    .regex(/^sk-app-\S{8,}$/, 'must begin with sk-app- and have at least 8 characters more'),
  disabled: flag.default(false),
  expires_at: instant.optional(),
  allow: z.array(cidr, 'must be a list of address ranges').default([]),
});
const account = z.strictObject({
  id,
  models: z
    .union([z.literal('all'), z.array(modelId)], 'must be "all" or a list of model ids')
    .default('all'),
  prepaid: flag.default(false),
  // How far below zero tasks and images may take the balance. A chat call only needs some credit above that bound.
  overdraft: usdOrNone.default(0n),
  monthly_tokens: monthlyTokens.default(null),
  channels_of: id.optional(),
  grants: z.array(z.strictObject({ id, amount: usdAmount }), 'must be a list').default([]),
  webhook_secret: webhookSecret.optional(),
  users: z.array(user, 'must be a list').min(1, 'must name at least one user'),
  apps: z.array(app, 'must be a list').min(1, 'must name at least one app'),
  keys: z.array(key, 'must be a list').default([]),
});
const configuredModel = z
  .strictObject({
    id,
    context_tokens: tokens,
    output_tokens: tokens.optional(),
    capabilities: z.array(
      z.enum(allCapabilities, `must be one of ${allCapabilities.join(', ')}`),
      'must be a list of capabilities, [] for none',
    ),
  })
  .refine(({ context_tokens: context, output_tokens: output }) => output === undefined || output <= context, {
    path: ['output_tokens'],
    message: 'must be at most context_tokens',
  });
const channel = z
  .strictObject({
    id,
    account: id.optional(),
    dialect: z.enum(channelDialects, `must be one of ${channelDialects.join(', ')}`),
    base_url: baseUrl,
    // It goes into a header, where the end of a line would break every call.
    api_key: filledText.regex(/^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/, 'must be printable ASCII on one line'),
    takes_stop: flag.default(true),
    output_tokens: tokens.optional(),
    models: z.record(modelId, z.string('must be the upstream name of the model').min(1, 'must not be empty')),
    priority: whole(0, 1000).default(0),
    weight: whole(1, 1000).default(1),
    // The limits of each model of the channel: a model that hangs does not use the capacity of the others.
    capacity: whole(1, maxCalls).optional(),
    queue_length: whole(0, maxCalls).default(0),
    queue_wait_ms: waitMs.default(1_000),
    // Whether jobs ask the upstream for callbacks. The upstream must be able to reach public_url.
    callbacks: flag.default(false),
  })
  .refine(({ capacity, queue_length: queue }) => capacity !== undefined || queue === 0, {
    path: ['queue_length'],
    message: 'must be 0 without a capacity: nothing ever waits',
  })
  .refine(({ dialect, callbacks }) => !callbacks || dialect === 'callback-jobs', {
    path: ['callbacks'],
    message: 'must be false: only upstreams that speak callback-jobs report back',
  });
const limits = z.strictObject({
  // Enough for a conversation with a 20 MB file as a data URI.
  body_bytes: sizeBytes.default(32 * 1024 * 1024),
  // The total of all bodies being read or processed; by default a quarter of the memory limit of the process.
  in_flight_bytes: sizeBytes.optional(),
  header_bytes: sizeBytes.default(16 * 1024),
  header_timeout_ms: waitMs.default(10_000),
  body_timeout_ms: waitMs.default(30_000),
});
/** Tasks: how often their jobs are polled, how long a task may run, and how long it is kept. */
const tasks = z
  .strictObject({
    // The first wait between two polls of a job. It doubles with each poll up to the maximum.
    poll_ms: waitMs.default(1_000),
    poll_most_ms: waitMs.default(15_000),
    // The deadline from submission to EXPIRED, and the retention from the end to task_not_found (reading B-66).
    deadline_ms: longWaitMs.default(3_600_000),
    retention_ms: longWaitMs.default(24 * 3_600_000),
    // How often the start of a job is tried, and the first wait between tries, which doubles.
    start_tries: whole(1, 100).default(6),
    start_again_ms: waitMs.default(1_000),
    // After this many failed polls in a row, a job counts as lost.
    poll_tries: whole(1, 1000).default(10),
    // Space in the database for the tasks of one account: their inputs until they end, and about 2 KB each until forgotten.
    account_bytes: whole(1, 2 ** 40).default(4 * 1024 ** 3),
    // How many steps of tasks this process runs at once.
    at_once: whole(1, 1000).default(64),
  })
  .refine(({ poll_ms: first, poll_most_ms: max }) => first <= max, {
    path: ['poll_most_ms'],
    message: 'must be at least poll_ms',
  });

/**
 * The schema of gateway.yaml, with all defaults. Times are in milliseconds, sizes in bytes, secrets in plain text.
 */
export const configSchema = z
  .strictObject({
    listen,
    // The URL at which callers reach this gateway, for links to its files. Defaults to its own address.
    public_url: baseUrl.optional(),
    trusted_proxies: z.array(cidr, 'must be a list of address ranges').default([]),
    store: store.prefault({}),
    // Worker processes, which take connections in turn. More than one needs a database server.
    workers: whole(1, 64).default(1),
    slots: z.enum(['memory', 'database'], 'must be memory or database').optional(),
    prices: z.record(modelId, priceSchema, 'must map model ids to prices').default({}),
    key_pepper: z.string('must be a text').min(8, 'must have at least 8 characters'),
    limits: limits.prefault({}),
    upstream: upstream.prefault({}),
    abandoned_calls: abandonedCalls.prefault({}),
    holds: holds.prefault({}),
    chat_models: z.array(configuredModel, 'must be a list').default([]),
    extensions: extensions.default([]),
    accounts: z.array(account, 'must be a list'),
    admin: adminAccess.optional(),
    breaker: breaker.prefault({}),
    channels: z.array(channel, 'must be a list'),
    tasks: tasks.prefault({}),
    usage: usage.prefault({}),
    media: media.prefault({}),
    webhooks: webhooks.prefault({}),
    outbound: outbound.prefault({}),
    fallbacks: z.record(modelId, modelId, 'must map a model id to another').default({}),
    test: z
      .strictObject({
        clock: flag.default(false),
        store: flag.default(false),
        usage: flag.default(false),
        ledger: flag.default(false),
        accounts: flag.default(false),
        // A directory with a prepared empty database, which new data directories copy. Creating one takes seconds.
        kept_clusters: filledText.optional(),
        allowed_hosts: allowedHosts.default([]),
        resolver: resolverAnswers.optional(),
        token: filledText,
      })
      .optional(),
  })
  .superRefine(checkReferences);

export type Config = z.infer<typeof configSchema>;
export type Limits = Config['limits'];
export type UpstreamLimits = Config['upstream'];
export type AbandonedLimits = Config['abandoned_calls'];
export type BreakerLimits = Config['breaker'];
export type TaskLimits = Config['tasks'];
export type WebhookLimits = Config['webhooks'];
export type ChannelConfig = Config['channels'][number];

interface Refiner {
  addIssue(issue: { code: 'custom'; path: PropertyKey[]; message: string }): void;
}

/** The parts of a configuration that refer to each other by name. */
interface Referring {
  readonly chat_models: readonly z.infer<typeof configuredModel>[];
  readonly accounts: readonly z.infer<typeof account>[];
  readonly channels: readonly z.infer<typeof channel>[];
  readonly fallbacks: Readonly<Record<string, string>>;
  readonly prices: Readonly<Record<string, ListPrice>>;
}

/** Checks across fields what a schema of single fields cannot: references must exist, and ids must be unique. */
function checkReferences(config: Referring, refiner: Refiner): void {
  const fault = (path: PropertyKey[], message: string): void =>
    refiner.addIssue({ code: 'custom', path, message });
  checkModelNames(config, fault);
  const seen = new Map<string, Set<string>>();
  const unique = (kind: string, value: string, path: PropertyKey[]): void => {
    const values = seen.get(kind) ?? new Set();
    if (values.has(value)) fault(path, `must be different from every other ${kind}`);
    seen.set(kind, values.add(value));
  };
  const accountIds = new Set(config.accounts.map(({ id: known }) => known));
  for (const [a, listed] of config.accounts.entries()) {
    const { id: accountId, channels_of: channelOwner, grants, users, apps, keys } = listed;
    unique('account id', accountId, ['accounts', a, 'id']);
    if (channelOwner !== undefined && !accountIds.has(channelOwner))
      fault(['accounts', a, 'channels_of'], 'must be one of the accounts');
    grants.forEach((row, g) => {
      unique(`grant id of ${accountId}`, row.id, ['accounts', a, 'grants', g, 'id']);
    });
    users.forEach((row, u) => {
      unique('user id', row.id, ['accounts', a, 'users', u, 'id']);
    });
    apps.forEach((row, p) => {
      unique('app id', row.id, ['accounts', a, 'apps', p, 'id']);
    });
    for (const [k, row] of keys.entries()) {
      const at = ['accounts', a, 'keys', k];
      unique('key id', row.id, [...at, 'id']);
      unique('key secret', row.secret, [...at, 'secret']);
      if (!users.some((known) => known.id === row.user))
        fault([...at, 'user'], 'must be a user of this account');
      if (!apps.some((known) => known.id === row.app))
        fault([...at, 'app'], 'must be an app of this account');
    }
  }
  for (const [c, row] of config.channels.entries()) {
    unique('channel id', row.id, ['channels', c, 'id']);
    if (row.account !== undefined && !accountIds.has(row.account))
      fault(['channels', c, 'account'], 'must be one of the accounts');
  }
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.search === '' &&
    url.hash === '' &&
    url.username === ''
  );
}
