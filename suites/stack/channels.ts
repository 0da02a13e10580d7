import type { Dialect } from '../profile/dialects.ts';
import type { RouteProfile } from '../profile/profile.ts';

/** One simulated upstream of a tenant: its dialect and its models, by id with their native names. */
export interface StackChannel {
  readonly dialect: keyof typeof versionOf;
  readonly models: Readonly<Record<string, string>>;
  /** A lower priority is preferred; equal when left out. */
  readonly priority?: number;
  /** The number of concurrent calls; unlimited when left out. */
  readonly capacity?: number;
  readonly queue_length?: number;
  readonly queue_wait_ms?: number;
  /** Whether the gateway requests callbacks for the states of its jobs. */
  readonly callbacks?: boolean;
  /** The broken listener through which it is reached; the ordinary address by default. */
  readonly listener?: string;
}

type Channels = Readonly<Record<string, StackChannel>>;
/** Channels of chat models, the only ones with routes of every kind. */
type ChatChannel = StackChannel & {
  readonly dialect: Dialect;
};

/** The last segment of a base URL, by dialect. */
export const versionOf = {
  'chat-completions': 'v1',
  messages: 'v1',
  'generate-content': 'v1beta',
  images: 'v1',
  jobs: 'v1',
  'callback-jobs': 'v1',
} as const;

/**
 * Models outside every catalogue, without any capability, for behaviour that all catalogue models have. Two of them have
 * names that the compat paths accept.
 */
export const plainModels = ['plain-1', 'beta-plain-1', 'gamma-plain-1'].map((id) => ({
  id,
  context_tokens: 8_000,
  capabilities: [],
}));

/** One channel for each family of the catalogue, in every account of a tenant. */
export const catalogueChannels: Channels = {
  alpha: {
    dialect: 'chat-completions',
    models: {
      'alpha-5-2': 'a52-2026-08-07',
      'alpha-5-pro': 'a5p-2026-08-07',
      'alpha-5-codex': 'a5c-2026-08-07',
      'alpha-codex': 'ac-2026-03-01',
    },
  },
  beta: {
    dialect: 'messages',
    models: {
      'beta-large-4-5': 'bl-4-5-20260801',
      'beta-mid-4-5': 'bm-4-5-20260801',
      'beta-small-4-5': 'bs-4-5-20260801',
      'beta-plain-1': 'bs-4-5-20260801',
    },
  },
  gamma: {
    dialect: 'generate-content',
    models: {
      'gamma-3-pro': 'g3p-2026-09',
      'gamma-3-flash': 'g3f-2026-09',
      'gamma-plain-1': 'g3f-2026-09',
    },
  },
  delta: { dialect: 'chat-completions', models: { 'delta-3': 'd3-2026-07-11' } },
  plain: { dialect: 'chat-completions', models: { 'plain-1': 'small-1' } },
};

const alpha = (model: string, native = 'a52-2026-08-07'): Pick<ChatChannel, 'dialect' | 'models'> => ({
  dialect: 'chat-completions',
  models: { [model]: native },
});
const beta = (model: string, native = 'bl-4-5-20260801'): Pick<ChatChannel, 'dialect' | 'models'> => ({
  dialect: 'messages',
  models: { [model]: native },
});
const gamma = (model: string, native = 'g3p-2026-09'): Pick<ChatChannel, 'dialect' | 'models'> => ({
  dialect: 'generate-content',
  models: { [model]: native },
});

/** Channels of models with several channels, or with limited capacity: in the tenant's main account only. */
export const routeChannels: Readonly<Record<string, ChatChannel>> = {
  // Each of two channels knows the model by another name.
  'duo-alpha-1': alpha('duo-alpha'),
  'duo-alpha-2': alpha('duo-alpha', 'a5p-2026-08-07'),
  // The compat paths accept these names, so they serve these models too.
  'duo-beta-1': beta('beta-duo'),
  'duo-beta-2': beta('beta-duo', 'bm-4-5-20260801'),
  'duo-gamma-1': gamma('gamma-duo'),
  'duo-gamma-2': gamma('gamma-duo', 'g3f-2026-09'),
  'trio-alpha': alpha('trio-1'),
  'trio-beta': beta('trio-1'),
  'trio-gamma': gamma('trio-1'),
  // Compat paths serve these, also by upstreams that have to be asked in other words.
  'mixed-a-alpha': alpha('beta-mixed'),
  'mixed-a-beta': beta('beta-mixed'),
  'mixed-a-gamma': gamma('beta-mixed'),
  'mixed-b-alpha': alpha('gamma-mixed'),
  'mixed-b-beta': beta('gamma-mixed'),
  'mixed-b-gamma': gamma('gamma-mixed'),
  'ranked-1': { ...alpha('ranked-1'), priority: 0 },
  'ranked-2': { ...alpha('ranked-1'), priority: 1 },
  lead: alpha('lead-1'),
  reserve: beta('reserve-1'),
  'lead-2': alpha('lead-2'),
  'reserve-2': alpha('reserve-2'),
  'lead-beta': beta('beta-lead'),
  'reserve-beta': beta('beta-reserve'),
  'lead-gamma': gamma('gamma-lead'),
  'reserve-gamma': gamma('gamma-reserve'),
  narrow: { ...alpha('narrow-1'), capacity: 1, queue_length: 0 },
  'narrow-beta': { ...beta('beta-narrow'), capacity: 1, queue_length: 0 },
  'narrow-gamma': { ...gamma('gamma-narrow'), capacity: 1, queue_length: 0 },
  queued: { ...alpha('queued-1'), capacity: 1, queue_length: 1, queue_wait_ms: 30_000 },
};

/** Which model is tried once all channels of another model have failed. */
export const fallbacks: Readonly<Record<string, string>> = {
  'lead-1': 'reserve-1',
  'lead-2': 'reserve-2',
  'beta-lead': 'beta-reserve',
  'gamma-lead': 'gamma-reserve',
};

/** Models that do not accept images, although other models fall back to them. */
export const blindModels: readonly string[] = ['reserve-2'];

/** Models of a small window, although models of a large one fall back to them; tokens. */
export const smallWindows: Readonly<Record<string, number>> = { 'gamma-reserve': 32_000 };

/** The routes as the profile declares them. */
export const stackRoutes: readonly RouteProfile[] = [
  routeOf('duo-alpha', 'pair'),
  routeOf('beta-duo', 'pair'),
  routeOf('gamma-duo', 'pair'),
  routeOf('trio-1', 'trio'),
  routeOf('beta-mixed', 'trio'),
  routeOf('gamma-mixed', 'trio'),
  routeOf('ranked-1', 'ranked'),
  routeOf('lead-1', 'fallback'),
  routeOf('lead-2', 'fallback'),
  routeOf('beta-lead', 'fallback'),
  routeOf('gamma-lead', 'fallback'),
  routeOf('narrow-1', 'narrow'),
  routeOf('beta-narrow', 'narrow'),
  routeOf('gamma-narrow', 'narrow'),
  routeOf('queued-1', 'queued'),
];

function routeOf(model: string, kind: RouteProfile['kind']): RouteProfile {
  const channels = Object.entries(routeChannels).flatMap(([name, { dialect, models }]) =>
    models[model] === undefined ? [] : [{ name, dialect, native_model: models[model] }],
  );
  const fallback = fallbacks[model];
  if (fallback === undefined) return { model, kind, channels, vision: true };
  const isBlind = blindModels.includes(fallback);
  const { [fallback]: window } = smallWindows;
  return {
    ...{ model, kind, channels, fallback, vision: !isBlind, fallback_lacks_vision: isBlind },
    ...(window === undefined ? {} : { fallback_context_tokens: window }),
  };
}

/**
 * Two models for each broken listener. One has only that channel; the other also has a healthy channel, used when
 * the broken one fails.
 */
export function brokenListenerModels(
  kinds: readonly string[],
): Record<string, { alone: string; spared: string }> {
  return Object.fromEntries(
    kinds.map((kind) => [kind, { alone: `door-${kind}`, spared: `door-${kind}-spare` }]),
  );
}

/**
 * The channels behind the broken listeners: one each for both of its models, and one healthy sibling channel for
 * all.
 */
export function brokenListenerChannels(kinds: readonly string[]): Channels {
  if (kinds.length === 0) return {};
  const models = Object.entries(brokenListenerModels(kinds));
  const native = 'a52-2026-08-07';
  const listeners = models.map(([kind, { alone, spared }]): [string, StackChannel] => [
    `door-${kind}`,
    {
      dialect: 'chat-completions',
      models: { [alone]: native, [spared]: native },
      priority: 0,
      listener: kind,
    },
  ]);
  const spare: StackChannel = {
    dialect: 'chat-completions',
    models: Object.fromEntries(models.map(([, { spared }]) => [spared, native])),
    priority: 1,
  };
  return { ...Object.fromEntries(listeners), 'door-spare': spare };
}

/** Native names by model id, over all of these channels. */
export function nativeNames(...all: readonly Channels[]): Record<string, string> {
  return Object.assign({}, ...all.flatMap((channels) => Object.values(channels).map(({ models }) => models)));
}
