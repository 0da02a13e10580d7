import type { Fact } from '../engine/facts.ts';

/** The declaration of hooks.clock, which several facts share. */
const clock =
  'hooks: { clock: { url: "https://gateway.example.com/hooks/clock", token: env:GATEWAY_HOOK_TOKEN } }';
const accounts =
  'hooks: { accounts: { url: "https://gateway.example.com/hooks/accounts", token: env:GATEWAY_HOOK_TOKEN } }';
const ledger =
  'hooks: { ledger: { url: "https://gateway.example.com/hooks/ledger", token: env:GATEWAY_HOOK_TOKEN } }';

/** A route of a profile, with channels by the names that the simulators have for them. */
const route = (model: string, kind: string, channels: readonly string[], more = ''): string =>
  `upstream: { routes: [{ model: ${model}, kind: ${kind}, channels: [${channels
    .map((channel) => `{ name: ${channel}, dialect: chat-completions }`)
    .join(', ')}]${more} }] }`;

/**
 * The profile lines that declare a fact, as YAML. Values are examples; `fixtures/targets/example.yaml` explains each. Null
 * for a fact that is present unless listed under `absent`.
 */
export const factLines: Readonly<Record<Fact, string | null>> = {
  'keys.K1': 'keys: { K1: env:GATECHECK_KEY }',
  'keys.K2': 'keys: { K2: env:GATEWAY_KEY_SAME_USER }',
  'keys.K3': 'keys: { K3: env:GATEWAY_KEY_OTHER_ACCOUNT }',
  'keys.K4': 'keys: { K4: env:GATEWAY_KEY_OTHER_USER }',
  'keys.K5': 'keys: { K5: env:GATEWAY_KEY_OTHER_APP }',
  'keys.disabled': 'keys: { disabled: env:GATEWAY_KEY_DISABLED }',
  'keys.expired': 'keys: { expired: env:GATEWAY_KEY_EXPIRED }',
  'keys.ip_restricted': 'keys: { ip_restricted: env:GATEWAY_KEY_IP_RESTRICTED }',
  'keys.ip_allowed': 'keys: { ip_allowed: env:GATEWAY_KEY_IP_ALLOWED }',
  'keys.unexpired': 'keys: { unexpired: env:GATEWAY_KEY_UNEXPIRED }',
  'keys.ip_first': 'keys: { ip_first: env:GATEWAY_KEY_IP_FIRST }',
  'keys.ip_last': 'keys: { ip_last: env:GATEWAY_KEY_IP_LAST }',
  'keys.ip_before': 'keys: { ip_before: env:GATEWAY_KEY_IP_BEFORE }',
  'keys.ip_after': 'keys: { ip_after: env:GATEWAY_KEY_IP_AFTER }',
  'keys.no_model': 'models: { disabled_for_no_model: delta-3 }\nkeys: { no_model: env:GATEWAY_KEY_NO_MODEL }',
  'keys.no_credits': 'keys: { no_credits: env:GATEWAY_KEY_NO_CREDITS }',
  'keys.no_quota': 'keys: { no_quota: env:GATEWAY_KEY_NO_QUOTA }',
  'keys.fuse': 'keys: { fuse: env:GATEWAY_KEY_FUSE }',
  'keys.raised': 'cap: { raised: 5 }\nkeys: { raised: env:GATEWAY_KEY_RAISED }',
  spent: 'keys: { no_credits: env:GATEWAY_KEY_NO_CREDITS, no_quota: env:GATEWAY_KEY_NO_QUOTA }',
  fuse: 'keys: { fuse: env:GATEWAY_KEY_FUSE }',
  raised: 'cap: { raised: 5 }\nkeys: { raised: env:GATEWAY_KEY_RAISED }',
  admin: 'admin: { token: env:GATEWAY_ADMIN_TOKEN, url: "https://gateway.example.com/api/admin/accounts" }',
  'pricing.models': 'pricing: { models: { delta-3: { input: "0.28", output: "0.42" } } }',
  'pricing.markup': 'pricing: { markup_bp: { K1: 1500, K5: 4250 } }',
  'billing.abandoned_stream': 'billing: { abandoned_stream: reported }',
  'billing.overdraft': 'billing: { overdraft: "0" }',
  'context.tokenizer_exact': 'context: { k: 1000, tokenizer_exact: true }',
  'chat.extra_models': 'chat: { extra_models: [{ id: plain-1, context_tokens: 8000, capabilities: [] }] }',
  'chat.image_links': 'chat: { image_links: ["https://www.example.com/sea.png"] }',
  'media.image_urls': 'media: { image_urls: ["https://www.example.com/sea.png"] }',
  'media.video_urls': 'media: { video_urls: ["https://www.example.com/sea.mp4"] }',
  'media.audio_urls': 'media: { audio_urls: ["https://www.example.com/sea.mp3"] }',
  'media.voices': 'media: { voice_ids: [calm-1] }',
  'media.styles': 'media: { style_ids: [digital-illustration] }',
  'media.guards': 'media: { guards: true }',
  'tasks.deadline': 'tasks: { deadline_ms: 3600000 }',
  'tasks.retention': 'tasks: { retention_ms: 86400000 }',
  'song.actions': 'song: { actions: { extend: {}, wav: {} } }',
  'webhooks.receiver':
    'webhooks: { receiver: { listen: "0.0.0.0:8443", base_url: "https://ci.example.com:8443" } }',
  'webhooks.secret': 'webhooks: { secret: env:GATEWAY_WEBHOOK_SECRET }',
  'webhooks.schedule': 'webhooks: { schedule_ms: [0, 5000, 300000] }',
  'webhooks.timeout': 'webhooks: { timeout_ms: 15000 }',
  'webhooks.kit':
    'webhooks: { kit: { url: "https://gateway.example.com/kit/receiver", secret: env:GATEWAY_KIT_SECRET } }',
  'webhooks.guards': 'webhooks: { guards: true }',
  chat: null,
  'compat.a': null,
  'compat.b': null,
  'admin.routes': null,
  images: null,
  tasks: null,
  webhooks: null,
  billing: null,
  'upstream.control': 'upstream: { control: "http://127.0.0.1:9401" }',
  'upstream.breaker':
    'upstream: { breaker: { consecutive_failures: 5, window_ms: 30000, window_least: 10, window_failure_percent: 50, cool_down_ms: [30000, 60000] } }',
  'upstream.routes.pair': route('pair-1', 'pair', ['east', 'west']),
  'upstream.routes.trio': route('trio-1', 'trio', ['one', 'two', 'three']),
  'upstream.routes.ranked': route('ranked-1', 'ranked', ['first', 'second']),
  'upstream.routes.fallback': route('lead-1', 'fallback', ['lead'], ', fallback: reserve-1'),
  'upstream.routes.narrow': route('narrow-1', 'narrow', ['narrow']),
  'upstream.routes.queued': route('queued-1', 'queued', ['queued']),
  'upstream.media_routes':
    'upstream: { media_routes: [{ model: kontext-max, channels: [{ name: pictures, dialect: images }, { name: pictures-2, dialect: images }] }] }',
  'upstream.broken_listeners':
    'upstream: { broken_listeners: { refused: { alone: broken-1, spared: broken-2 } } }',
  'hooks.clock': clock,
  'hooks.store':
    'hooks: { store: { url: "https://gateway.example.com/hooks/store", token: env:GATEWAY_HOOK_TOKEN } }',
  'hooks.usage':
    'hooks: { usage: { url: "https://gateway.example.com/hooks/usage", token: env:GATEWAY_HOOK_TOKEN } }',
  'hooks.ledger': ledger,
  'hooks.balance':
    'hooks: { balance: { url: "https://gateway.example.com/api/v1/balance", field: balance } }',
  'hooks.accounts': accounts,
  charges: ledger,
  time: clock,
  'http.body_bytes': 'http: { body_bytes: 20971520 }',
  'http.direct': 'http: { direct: true }',
  'http.header_timeout_ms': 'http: { header_timeout_ms: 10000 }',
};
