import { randomBytes } from 'node:crypto';
import type { KeyName, Keys, LaneProfile, ProfileInput } from './profile.ts';
import {
  catalogueChannels,
  doorChannels,
  doorModels,
  fallbacks,
  nativeNames,
  plainModels,
  routeChannels,
  stackRoutes,
  versionOf,
} from './stack-channels.ts';
import type { StackTimes } from './stack-times.ts';

/** Where the simulators of a stack listen. */
export interface SimulatorAddresses {
  /** Base of the provider side as the gateway reaches it. */
  readonly providerUrl: string;
  readonly controlUrl: string;
  /** Origins with a broken transport, by kind. */
  readonly doors: Readonly<Record<string, string>>;
  /** Some lanes reach the provider side through something that stands before it. */
  readonly detour?: { readonly url: string; readonly isFor: (lane: string) => boolean };
}

/** What a stack may be given beside its addresses. */
export interface StackShape {
  readonly times: StackTimes;
  /** Whether its clock can be moved. */
  readonly clock: boolean;
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

const catalogueModels = Object.keys(nativeNames(catalogueChannels)).filter((id) =>
  plainModels.every((plain) => plain.id !== id),
);

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
  options: StackShape & { addresses: SimulatorAddresses; dataDir: string; port: number; nowMs: number },
): object {
  const { addresses, times, clock } = options;
  const { breaker, ...timeouts } = times;
  return {
    listen: { host: '127.0.0.1', port: options.port },
    store: { data_dir: options.dataDir },
    key_pepper: secrets.pepper,
    limits: { body_bytes: bodyBytes, header_timeout_ms: headerTimeoutMs },
    upstream: timeouts,
    breaker,
    admin: { token: secrets.adminToken },
    accounts: secrets.lanes.flatMap((lane) => accountsOf(lane, options.nowMs)),
    channels: secrets.lanes.flatMap((lane) => channelsOf(lane.name, addresses, secrets.upstreamKey)),
    chat_models: [...plainModels, ...routedModels(addresses)],
    fallbacks,
    test: { clock, store: true, usage: true, token: secrets.hookToken },
  };
}

/** The models that are there for the sake of their channels. */
function routedModels({ doors }: SimulatorAddresses): object[] {
  const ids = [routeChannels, doorChannels(Object.keys(doors))].flatMap((all) =>
    Object.keys(nativeNames(all)),
  );
  return ids.map((id) => ({
    id,
    context_tokens: 400_000,
    output_tokens: 32_000,
    capabilities: ['tools', 'stream'],
  }));
}

/** The profile of the same stack: it declares everything the suites can use, so nothing stays untestable. */
export function stackProfile(
  secrets: StackSecrets,
  baseUrl: string,
  addresses: SimulatorAddresses,
  { times, clock }: StackShape,
): ProfileInput {
  const doorKinds = Object.keys(addresses.doors);
  const own = { ...routeChannels, ...doorChannels(doorKinds) };
  const [first, ...lanes] = secrets.lanes;
  if (first === undefined) throw new Error('a stack has at least the default lane');
  return {
    name: 'reference',
    base_url: baseUrl,
    keys: first.keys,
    lanes: lanes.map(
      (lane): LaneProfile => ({
        name: lane.name,
        keys: lane.keys,
        channels: channelIds(lane.name, Object.keys({ ...catalogueChannels, ...own })),
      }),
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
      extra_models: plainModels,
    },
    http: { body_bytes: bodyBytes, header_timeout_ms: headerTimeoutMs },
    upstream: {
      control: addresses.controlUrl,
      native_models: nativeNames(catalogueChannels, own),
      ...times,
      routes: [...stackRoutes],
      doors: doorModels(doorKinds),
      keys: [secrets.upstreamKey],
    },
    hooks: {
      ...(clock ? { clock: { url: `${baseUrl}/hooks/clock`, token: secrets.hookToken } } : {}),
      store: { url: `${baseUrl}/hooks/store`, token: secrets.hookToken },
      usage: { url: `${baseUrl}/hooks/usage`, token: secrets.hookToken },
    },
    ...(clock ? {} : { absent: ['hooks.clock'] }),
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
    single('-b', 'K3', { models: [...catalogueModels, ...plainModels.map(({ id }) => id)] }),
    single('-c', 'no_model', { models: catalogueModels.filter((id) => id !== disabledModel) }),
  ];
}

/** Private channels: those of the catalogue for each account of the lane, those of routing for its own one. */
function channelsOf(lane: string, addresses: SimulatorAddresses, upstreamKey: string): object[] {
  const routed = { ...routeChannels, ...doorChannels(Object.keys(addresses.doors)) };
  return ['', '-b', '-c'].flatMap((suffix) =>
    Object.entries(suffix === '' ? { ...catalogueChannels, ...routed } : catalogueChannels).map(
      ([name, { door, ...channel }]) => ({
        id: `ch-${lane}${suffix}-${name}`,
        account: lane + suffix,
        base_url: `${originOf(addresses, lane, door)}/${lane}/${name}/${versionOf[channel.dialect]}`,
        api_key: upstreamKey,
        ...channel,
      }),
    ),
  );
}

function originOf(
  { providerUrl, doors, detour }: SimulatorAddresses,
  lane: string,
  door: string | undefined,
): string {
  const origin = detour?.isFor(lane) ? detour.url : providerUrl;
  return (door === undefined ? undefined : doors[door]) ?? origin;
}

function channelIds(lane: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `ch-${lane}-${name}`]));
}

function drawKey(): string {
  return `sk-app-${randomBytes(24).toString('base64url').replaceAll(/[-_]/g, 'x')}`;
}
