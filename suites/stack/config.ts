import type { ModelPrice } from '../profile/money.ts';
import type { ProfileInput, TenantProfile } from '../profile/profile.ts';
import { accountsOf, catalogueModels, disabledModel, mediaModels, raisedCap } from './accounts.ts';
import {
  blindModels,
  brokenListenerChannels,
  brokenListenerModels,
  catalogueChannels,
  fallbacks,
  nativeNames,
  plainModels,
  routeChannels,
  smallWindows,
  stackRoutes,
  versionOf,
} from './channels.ts';
import { type FleetPlace, fleetPart } from './fleet-place.ts';
import {
  mediaChannels,
  mediaFacts,
  mediaPrices,
  mediaRoutes,
  mediaSpareChannels,
  stackTasks,
} from './media.ts';
import { appMarkups, stackPrices } from './prices.ts';
import type { StackSecrets } from './stack-secrets.ts';
import type { StackTimes } from './times.ts';
import { type EventAddresses, eventFacts, gatewayEvents, gatewayTestEvents } from './webhooks.ts';

/** Where the simulators of a stack listen. */
export interface SimulatorAddresses {
  /** The base URL of the provider side, as the gateway reaches it. */
  readonly providerUrl: string;
  readonly controlUrl: string;
  /** Origins with a broken transport, by kind of broken listener. */
  readonly brokenListeners: Readonly<Record<string, string>>;
  /** A proxy in front of the provider side, through which some tenants reach it. */
  readonly upstreamProxy?: { readonly url: string; readonly isFor: (tenant: string) => boolean };
  /** Where events go; absent when none are received. */
  readonly events?: EventAddresses;
}

/** The options of a stack besides its addresses. */
export interface StackShape {
  readonly times: StackTimes;
  /** Whether its clock can be moved. */
  readonly clock: boolean;
  /** What the gateway offers beyond the specification, by its names. */
  readonly extensions: readonly string[];
}

/** All extensions. */
export const allExtensions: readonly string[] = [
  'max_completion_tokens',
  'developer_role',
  'models_retrieve',
  'count_tokens',
  'reasoning_tokens',
];

const bodyBytes = 32 * 1024 * 1024;
const headerTimeoutMs = 4_000;

/** The gateway's own configuration for such a stack, as plain data for YAML. */
export function gatewayConfig(
  secrets: StackSecrets,
  options: StackShape & {
    addresses: SimulatorAddresses;
    dataDir: string;
    /** The folder of prepared databases that gateways copy; null when there is none. */
    keptClusters: string | null;
    port: number;
    nowMs: number;
    fleet?: FleetPlace;
  },
): object {
  const { addresses, times, clock, extensions, fleet } = options;
  const { breaker, ...timeouts } = times;
  const { events } = addresses;
  return {
    listen: { host: '127.0.0.1', port: options.port },
    ...(fleet === undefined ? { store: { data_dir: options.dataDir } } : fleetPart(fleet, options.dataDir)),
    key_pepper: secrets.pepper,
    limits: { body_bytes: bodyBytes, header_timeout_ms: headerTimeoutMs },
    upstream: timeouts,
    breaker,
    tasks: stackTasks,
    ...(events === undefined ? {} : gatewayEvents(events, clock)),
    // Every check and mutant sends wrong tokens from this one address.
    admin: { token: secrets.adminToken, guesses: { free: 1_000_000 } },
    accounts: secrets.tenants.flatMap((tenant) => accountsOf(tenant, options.nowMs)),
    channels: secrets.tenants.flatMap((tenant) => channelsOf(tenant.name, addresses, secrets.upstreamKey)),
    chat_models: [...plainModels, ...routedModels(addresses)],
    fallbacks,
    extensions,
    prices: pricesOf(addresses),
    test: {
      ...{ clock, store: true, usage: true, ledger: true, accounts: true, token: secrets.hookToken },
      ...(options.keptClusters === null ? {} : { kept_clusters: options.keptClusters }),
      ...(events === undefined ? {} : gatewayTestEvents(events)),
    },
  };
}

/** The models that exist to test routing. */
function routedModels(addresses: SimulatorAddresses): object[] {
  return routedIds(addresses).map((id) => ({
    id,
    context_tokens: smallWindows[id] ?? 400_000,
    output_tokens: 32_000,
    capabilities: ['tools', ...(blindModels.includes(id) ? [] : ['vision']), 'stream'],
  }));
}

function routedIds({ brokenListeners }: SimulatorAddresses): string[] {
  return [routeChannels, brokenListenerChannels(Object.keys(brokenListeners))].flatMap((all) =>
    Object.keys(nativeNames(all)),
  );
}

function pricesOf(addresses: SimulatorAddresses): Record<string, ModelPrice> {
  const byToken = [...catalogueModels, ...plainModels.map(({ id }) => id), ...routedIds(addresses)];
  return { ...stackPrices(byToken), ...mediaPrices };
}

/** The profile of the same stack. It declares everything that the suites can use, so nothing is untestable. */
export function stackProfile(
  secrets: StackSecrets,
  baseUrl: string,
  addresses: SimulatorAddresses,
  { times, clock }: StackShape,
  { hooksUrl = baseUrl, processes = 1 }: { hooksUrl?: string; processes?: number } = {},
): ProfileInput {
  const brokenListenerKinds = Object.keys(addresses.brokenListeners);
  const own = {
    ...mediaChannels,
    ...routeChannels,
    ...mediaSpareChannels,
    ...brokenListenerChannels(brokenListenerKinds),
  };
  const { events } = addresses;
  const [first, ...tenants] = secrets.tenants;
  if (first === undefined) throw new Error('a stack has at least the default tenant');
  return {
    name: 'reference',
    base_url: baseUrl,
    keys: first.keys,
    tenants: tenants.map(
      (tenant): TenantProfile => ({
        name: tenant.name,
        keys: tenant.keys,
        channels: channelIds(tenant.name, Object.keys({ ...catalogueChannels, ...own })),
        ...(events === undefined ? {} : { webhook_secret: tenant.webhookSecret }),
      }),
    ),
    cap: { value: 3, raised: raisedCap, gets: true },
    models: {
      enabled: [...catalogueModels, ...mediaModels],
      disabled_for_no_model: disabledModel,
    },
    context: { k: 1000, tokenizer_exact: true },
    chat: {
      unknown_fields: 'reject',
      metadata_value_max: 64,
      json_schema_models: catalogueModels.filter((id) => /^(?:alpha-5|gamma)-/.test(id)),
      media_models: ['beta-large-4-5', 'beta-mid-4-5', 'gamma-3-pro'],
      // Simulated upstreams do not fetch anything, so any URL will do.
      image_links: ['https', 'http'].map((scheme) => `${scheme}://media.example.com/pictures/sea.png`),
      extra_models: plainModels,
    },
    ...mediaFacts,
    http: { body_bytes: bodyBytes, direct: true, header_timeout_ms: headerTimeoutMs },
    upstream: {
      control: addresses.controlUrl,
      ...(processes === 1 ? {} : { processes }),
      native_models: nativeNames(catalogueChannels, own),
      ...times,
      routes: [...stackRoutes],
      media_routes: [...mediaRoutes],
      broken_listeners: brokenListenerModels(brokenListenerKinds),
      keys: [secrets.upstreamKey],
    },
    hooks: {
      ...(clock ? { clock: { url: `${hooksUrl}/hooks/clock`, token: secrets.hookToken } } : {}),
      store: { url: `${hooksUrl}/hooks/store`, token: secrets.hookToken },
      usage: { url: `${hooksUrl}/hooks/usage`, token: secrets.hookToken },
      ledger: { url: `${hooksUrl}/hooks/ledger`, token: secrets.hookToken },
      accounts: { url: `${hooksUrl}/hooks/accounts`, token: secrets.hookToken },
      balance: { url: `${baseUrl}/api/v1/balance` },
    },
    admin: { token: secrets.adminToken, url: `${baseUrl}/api/admin/accounts` },
    pricing: {
      models: pricesOf(addresses),
      markup_bp: { K1: appMarkups.K1.markup_bp, K5: appMarkups.K5.markup_bp },
      model_markup_bp: { K1: appMarkups.K1.model_markup_bp, K5: appMarkups.K5.model_markup_bp },
    },
    ...(events === undefined
      ? {}
      : {
          webhooks: eventFacts(events, clock, { main: first.webhookSecret, kit: secrets.kitSecret }),
        }),
    // The usage that the upstream had reported when the client disconnected: see reading B-36.
    billing: { abandoned_stream: 'whole', overdraft: '0' },
    ...(clock ? {} : { absent: ['hooks.clock'] }),
    timeouts: { answer_ms: 20_000 },
  };
}

/** The tenant's private channels: catalogue channels for each of its accounts, routing channels only for its main account. */
function channelsOf(tenant: string, addresses: SimulatorAddresses, upstreamKey: string): object[] {
  const common = { ...catalogueChannels, ...mediaChannels };
  const routed = {
    ...routeChannels,
    ...mediaSpareChannels,
    ...brokenListenerChannels(Object.keys(addresses.brokenListeners)),
  };
  return ['', '-b', '-c'].flatMap((suffix) =>
    Object.entries(suffix === '' ? { ...common, ...routed } : common).map(
      ([name, { listener, ...channel }]) => ({
        id: `ch-${tenant}${suffix}-${name}`,
        account: tenant + suffix,
        base_url: `${originOf(addresses, tenant, listener)}/${tenant}/${name}/${versionOf[channel.dialect]}`,
        api_key: upstreamKey,
        ...channel,
      }),
    ),
  );
}

function originOf(
  { providerUrl, brokenListeners, upstreamProxy }: SimulatorAddresses,
  tenant: string,
  listener: string | undefined,
): string {
  const origin = upstreamProxy?.isFor(tenant) ? upstreamProxy.url : providerUrl;
  return (listener === undefined ? undefined : brokenListeners[listener]) ?? origin;
}

function channelIds(tenant: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `ch-${tenant}-${name}`]));
}
