import { randomBytes } from 'node:crypto';
import type { KeyName, Keys, LaneProfile, ProfileInput } from './profile.ts';

/** Where the simulators of a stack listen. */
export interface SimulatorAddresses {
  /** Base of the provider side as the gateway reaches it. */
  readonly providerUrl: string;
  readonly controlUrl: string;
}

export interface StackSecrets {
  readonly lanes: readonly LaneSecrets[];
  readonly pepper: string;
  readonly hookToken: string;
  readonly adminToken: string;
  readonly upstreamKey: string;
}

interface LaneSecrets {
  readonly name: string;
  readonly keys: Required<Keys>;
}

/** One simulated upstream of a lane: how it speaks, and the models that it has, by id with the name it knows them by. */
interface StackChannel {
  readonly dialect: 'chat-completions' | 'messages' | 'generate-content';
  /** Last segment of its base URL. */
  readonly version: string;
  readonly models: Readonly<Record<string, string>>;
}

const stackChannels: Readonly<Record<string, StackChannel>> = {
  alpha: {
    dialect: 'chat-completions',
    version: 'v1',
    models: {
      'alpha-5-2': 'a52-2026-08-07',
      'alpha-5-pro': 'a5p-2026-08-07',
      'alpha-5-codex': 'a5c-2026-08-07',
      'alpha-codex': 'ac-2026-03-01',
    },
  },
  beta: {
    dialect: 'messages',
    version: 'v1',
    models: {
      'beta-large-4-5': 'bl-4-5-20260801',
      'beta-mid-4-5': 'bm-4-5-20260801',
      'beta-small-4-5': 'bs-4-5-20260801',
    },
  },
  gamma: {
    dialect: 'generate-content',
    version: 'v1beta',
    models: { 'gamma-3-pro': 'g3p-2026-09', 'gamma-3-flash': 'g3f-2026-09' },
  },
  delta: { dialect: 'chat-completions', version: 'v1', models: { 'delta-3': 'd3-2026-07-11' } },
  plain: { dialect: 'chat-completions', version: 'v1', models: { 'plain-1': 'small-1' } },
};

/** A model that no catalogue has, without any capability: what the catalogue's models all have can be lacking here. */
const plainModel = { id: 'plain-1', context_tokens: 8_000, capabilities: [] };

/** Model id to native name, over all channels. */
const nativeNames: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(stackChannels).map(({ models }) => models),
);
const catalogueModels = Object.keys(nativeNames).filter((id) => id !== plainModel.id);

const keyNames = [
  'K1',
  'K2',
  'K3',
  'K4',
  'disabled',
  'expired',
  'ip_restricted',
  'ip_allowed',
  'unexpired',
  'ip_first',
  'ip_last',
  'ip_before',
  'ip_after',
  'no_model',
] as const satisfies KeyName[];
const disabledModel = 'alpha-codex';
const bodyBytes = 32 * 1024 * 1024;
const headerTimeoutMs = 2_000;
const firstByteTimeoutMs = 30_000;

/** How long ago one key has expired, and how far ahead another one does, ms: near enough to need more than the year. */
const expiredForMs = 60_000;
const expiresInMs = 90 * 24 * 3_600_000;

/** Fresh random secrets for a stack of `lanes` lanes. The lane `default` is the one of a client that knows no lanes. */
export function drawSecrets(lanes: number): StackSecrets {
  const names = [
    'default',
    ...Array.from({ length: lanes }, (_, index) => `lane-${String(index + 1).padStart(2, '0')}`),
  ];
  return {
    lanes: names.map((name) => ({
      name,
      keys: Object.fromEntries(keyNames.map((key) => [key, drawKey()])) as Required<Keys>,
    })),
    pepper: randomBytes(32).toString('hex'),
    hookToken: `hook-${randomBytes(18).toString('base64url')}`,
    adminToken: `admin-${randomBytes(24).toString('base64url')}`,
    upstreamKey: `sk-up-${randomBytes(24).toString('base64url')}`,
  };
}

/** The gateway's own configuration for such a stack, as plain data for YAML. */
export function gatewayConfig(
  secrets: StackSecrets,
  options: { providerUrl: string; dataDir: string; port: number; nowMs: number },
): object {
  return {
    listen: { host: '127.0.0.1', port: options.port },
    store: { data_dir: options.dataDir },
    key_pepper: secrets.pepper,
    limits: { body_bytes: bodyBytes, header_timeout_ms: headerTimeoutMs },
    upstream: { first_byte_timeout_ms: firstByteTimeoutMs },
    admin: { token: secrets.adminToken },
    accounts: secrets.lanes.flatMap((lane) => accountsOf(lane, options.nowMs)),
    channels: secrets.lanes.flatMap((lane) =>
      channelsOf(lane.name, options.providerUrl, secrets.upstreamKey),
    ),
    chat_models: [plainModel],
    test: { clock: true, token: secrets.hookToken },
  };
}

/** The profile of the same stack: it declares everything the suites can use, so nothing stays untestable. */
export function stackProfile(
  secrets: StackSecrets,
  baseUrl: string,
  addresses: SimulatorAddresses,
): ProfileInput {
  const [first, ...lanes] = secrets.lanes;
  if (first === undefined) throw new Error('a stack has at least the default lane');
  return {
    name: 'reference',
    base_url: baseUrl,
    keys: first.keys,
    lanes: lanes.map(
      (lane): LaneProfile => ({ name: lane.name, keys: lane.keys, channels: channelIds(lane.name) }),
    ),
    cap: { value: 3, gets: true },
    models: {
      enabled: catalogueModels,
      disabled_for_no_model: disabledModel,
    },
    context: { k: 1000, tokenizer_exact: true },
    chat: {
      unknown_fields: 'reject',
      metadata_value_max: 64,
      json_schema_models: catalogueModels.filter((id) => /^(?:alpha-5|gamma)-/.test(id)),
      media_models: ['beta-large-4-5', 'beta-mid-4-5', 'gamma-3-pro'],
      // Simulated upstreams fetch nothing, so that any address will do.
      image_links: ['https', 'http'].map((scheme) => `${scheme}://media.example.com/pictures/sea.png`),
      extra_models: [plainModel],
    },
    http: { body_bytes: bodyBytes, header_timeout_ms: headerTimeoutMs },
    upstream: {
      control: addresses.controlUrl,
      native_models: nativeNames,
      first_byte_timeout_ms: firstByteTimeoutMs,
      keys: [secrets.upstreamKey],
    },
    hooks: { clock: { url: `${baseUrl}/hooks/clock`, token: secrets.hookToken } },
    timeouts: { answer_ms: 20_000 },
  };
}

/** Three accounts a lane: the lane's own, another one (K3), and one without one of the models. */
function accountsOf(lane: LaneSecrets, nowMs: number): object[] {
  const { name, keys } = lane;
  const [u1, u2] = [`${name}-u1`, `${name}-u2`];
  const key = (id: KeyName, user: string, more: object = {}): object => ({
    id: `${name}-${id.replaceAll('_', '-')}`,
    user,
    app: `${name}-app`,
    secret: keys[id],
    ...more,
  });
  const single = (suffix: string, id: KeyName, models: object): object => ({
    id: name + suffix,
    ...models,
    users: [{ id: `${name}${suffix}-u`, cap: 3 }],
    apps: [{ id: `${name}${suffix}-app`, markup_bp: 0 }],
    keys: [
      {
        id: `${name}-${id.replaceAll('_', '-')}`,
        user: `${name}${suffix}-u`,
        app: `${name}${suffix}-app`,
        secret: keys[id],
      },
    ],
  });
  return [
    {
      id: name,
      models: 'all',
      users: [
        { id: u1, cap: 3 },
        { id: u2, cap: 3 },
      ],
      apps: [{ id: `${name}-app`, markup_bp: 0 }],
      keys: [
        key('K1', u1),
        key('K2', u1),
        key('K4', u2),
        key('disabled', u1, { disabled: true }),
        key('expired', u1, { expires_at: new Date(nowMs - expiredForMs).toISOString() }),
        key('ip_restricted', u1, { allow: ['203.0.113.0/24', '2001:db8::/32'] }),
        key('ip_allowed', u1, { allow: ['203.0.113.0/24', '127.0.0.0/8', '::1/128'] }),
        key('unexpired', u1, { expires_at: new Date(nowMs + expiresInMs).toISOString() }),
        // The suites reach the stack from 127.0.0.1.
        key('ip_first', u1, { allow: ['127.0.0.1/32'] }),
        key('ip_last', u1, { allow: ['127.0.0.0/31'] }),
        key('ip_before', u1, { allow: ['127.0.0.2/31'] }),
        key('ip_after', u1, { allow: ['127.0.0.0/32'] }),
      ],
    },
    single('-b', 'K3', { models: 'all' }),
    single('-c', 'no_model', { models: catalogueModels.filter((id) => id !== disabledModel) }),
  ];
}

/** One private channel for each account and upstream of the lane. */
function channelsOf(lane: string, providerUrl: string, upstreamKey: string): object[] {
  return ['', '-b', '-c'].flatMap((suffix) =>
    Object.entries(stackChannels).map(([channel, { dialect, version, models }]) => ({
      id: `ch-${lane}${suffix}-${channel}`,
      account: lane + suffix,
      dialect,
      base_url: `${providerUrl}/${lane}/${channel}/${version}`,
      api_key: upstreamKey,
      models,
    })),
  );
}

function channelIds(lane: string): Record<string, string> {
  return Object.fromEntries(Object.keys(stackChannels).map((channel) => [channel, `ch-${lane}-${channel}`]));
}

function drawKey(): string {
  return `sk-app-${randomBytes(24).toString('base64url').replaceAll(/[-_]/g, 'x')}`;
}
