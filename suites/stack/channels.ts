import type { Dialect } from '../profile/dialects.ts';
import type { RouteProfile } from '../profile/profile.ts';

/** One simulated upstream of a lane: how it speaks, and the models that it has, by id with the name it knows them by. */
export interface StackChannel {
  readonly dialect: keyof typeof versionOf;
  readonly models: Readonly<Record<string, string>>;
  /** Lower comes first; equal when left out. */
  readonly priority?: number;
  /** Calls at once; without a bound when left out. */
  readonly capacity?: number;
  readonly queue_length?: number;
  /** Whether the upstream is asked to report how its jobs stand. */
  readonly callbacks?: boolean;
  /** The door through which it is reached; the ordinary address when left out. */
  readonly door?: string;
}

type Channels = Readonly<Record<string, StackChannel>>;
/** Channels of chat models, the only ones with routes of each kind. */
type ChatChannel = StackChannel & {
  readonly dialect: Dialect;
};

/** Last segment of a base URL, by dialect. */
export const versionOf = {
  'chat-completions': 'v1',
  messages: 'v1',
  'generate-content': 'v1beta',
  images: 'v1',
  jobs: 'v1',
  'callback-jobs': 'v1',
} as const;

/**
 * Models that no catalogue has, without any capability: what the catalogue's models all have can be lacking here. Two of
 * them are called as the models of the compat paths are.
 */
export const plainModels = ['plain-1', 'beta-plain-1', 'gamma-plain-1'].map((id) => ({
  id,
  context_tokens: 8_000,
  capabilities: [],
}));

/** One channel for each family of the catalogue, in every account of a lane. */
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

const alpha = (model: string): Pick<ChatChannel, 'dialect' | 'models'> => ({
  dialect: 'chat-completions',
  models: { [model]: 'a52-2026-08-07' },
});
const beta = (model: string): Pick<ChatChannel, 'dialect' | 'models'> => ({
  dialect: 'messages',
  models: { [model]: 'bl-4-5-20260801' },
});
const gamma = (model: string): Pick<ChatChannel, 'dialect' | 'models'> => ({
  dialect: 'generate-content',
  models: { [model]: 'g3p-2026-09' },
});

/** Channels of models with more than one way to go, or with a narrow one: in the main account of a lane alone. */
export const routeChannels: Readonly<Record<string, ChatChannel>> = {
  'duo-alpha-1': alpha('duo-alpha'),
  'duo-alpha-2': alpha('duo-alpha'),
  // Called as the models of the compat paths are, so that these serve them, too.
  'duo-beta-1': beta('beta-duo'),
  'duo-beta-2': beta('beta-duo'),
  'duo-gamma-1': gamma('gamma-duo'),
  'duo-gamma-2': gamma('gamma-duo'),
  'trio-alpha': alpha('trio-1'),
  'trio-beta': beta('trio-1'),
  'trio-gamma': gamma('trio-1'),
  'ranked-1': { ...alpha('ranked-1'), priority: 0 },
  'ranked-2': { ...alpha('ranked-1'), priority: 1 },
  lead: alpha('lead-1'),
  reserve: beta('reserve-1'),
  narrow: { ...alpha('narrow-1'), capacity: 1, queue_length: 0 },
};

/** Which model is tried once the channels of another one are spent. */
export const fallbacks: Readonly<Record<string, string>> = { 'lead-1': 'reserve-1' };

/** What the profile says of them. */
export const stackRoutes: readonly RouteProfile[] = [
  routeOf('duo-alpha', 'pair'),
  routeOf('beta-duo', 'pair'),
  routeOf('gamma-duo', 'pair'),
  routeOf('trio-1', 'trio'),
  routeOf('ranked-1', 'ranked'),
  routeOf('lead-1', 'fallback'),
  routeOf('narrow-1', 'narrow'),
];

function routeOf(model: string, kind: RouteProfile['kind']): RouteProfile {
  const channels = Object.entries(routeChannels).flatMap(([name, { dialect, models }]) =>
    Object.hasOwn(models, model) ? [{ name, dialect }] : [],
  );
  const fallback = fallbacks[model];
  return { model, kind, channels, ...(fallback === undefined ? {} : { fallback }) };
}

/** For each door a model that can only go through it, and one that also has a healthy channel, used when the door fails. */
export function brokenListenerModels(
  kinds: readonly string[],
): Record<string, { alone: string; spared: string }> {
  return Object.fromEntries(
    kinds.map((kind) => [kind, { alone: `door-${kind}`, spared: `door-${kind}-spare` }]),
  );
}

/** The channels behind the doors: one each for both of its models, and one healthy one that spares all of them. */
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
      door: kind,
    },
  ]);
  const spare: StackChannel = {
    dialect: 'chat-completions',
    models: Object.fromEntries(models.map(([, { spared }]) => [spared, native])),
    priority: 1,
  };
  return { ...Object.fromEntries(listeners), 'door-spare': spare };
}

/** Model id to native name, over all of these channels. */
export function nativeNames(...all: readonly Channels[]): Record<string, string> {
  return Object.assign({}, ...all.flatMap((channels) => Object.values(channels).map(({ models }) => models)));
}
