import type { Profile } from '../profile/profile.ts';
import type { Fact } from './facts.ts';

/**
 * The facts among `needs` that the profile does not declare. Where one is declared absent, no other fact matters, because the
 * check does not apply.
 */
export function missingFacts(needs: readonly Fact[], profile: Profile): Fact[] {
  const missing = needs.filter((fact) => !has[fact](profile));
  const absent = missing.filter((fact) => profile.absent.includes(fact));
  return absent.length > 0 ? absent : missing;
}

type Has = (profile: Profile) => boolean;

const has: Readonly<Record<Fact, Has>> = {
  'keys.K1': () => true,
  'keys.K2': hasKey('K2'),
  'keys.K3': hasKey('K3'),
  'keys.K4': hasKey('K4'),
  'keys.K5': hasKey('K5'),
  'keys.disabled': hasKey('disabled'),
  'keys.expired': hasKey('expired'),
  'keys.ip_restricted': hasKey('ip_restricted'),
  'keys.ip_allowed': hasKey('ip_allowed'),
  'keys.unexpired': hasKey('unexpired'),
  'keys.ip_first': hasKey('ip_first'),
  'keys.ip_last': hasKey('ip_last'),
  'keys.ip_before': hasKey('ip_before'),
  'keys.ip_after': hasKey('ip_after'),
  'keys.no_credits': hasKey('no_credits'),
  'keys.no_quota': hasKey('no_quota'),
  'keys.fuse': hasKey('fuse'),
  'keys.no_model': (profile) =>
    hasKey('no_model')(profile) && profile.models.disabled_for_no_model !== undefined,
  'keys.raised': hasRaised,
  spent: (profile) =>
    makesAccounts(profile) || (hasKey('no_credits')(profile) && hasKey('no_quota')(profile)),
  fuse: (profile) => makesAccounts(profile) || hasKey('fuse')(profile),
  raised: (profile) => makesAccounts(profile) || hasRaised(profile),
  admin: ({ admin }) => admin !== undefined,
  'pricing.models': ({ pricing }) => pricing.models !== undefined,
  'pricing.markup': ({ pricing }) => pricing.markup_bp !== undefined,
  'billing.abandoned_stream': ({ billing }) => billing.abandoned_stream !== undefined,
  'billing.overdraft': ({ billing }) => billing.overdraft !== undefined,
  charges: ({ hooks }) => hooks.ledger !== undefined || hooks.balance !== undefined,
  'context.tokenizer_exact': ({ context }) => context.tokenizer_exact && context.k !== undefined,
  'chat.extra_models': ({ chat }) => chat.extra_models.length > 0,
  'chat.image_links': ({ chat }) => chat.image_links.length > 0,
  'media.image_urls': ({ media, upstream }) => upstream !== undefined || media.image_urls.length > 0,
  'media.video_urls': ({ media, upstream }) => upstream !== undefined || media.video_urls.length > 0,
  'media.audio_urls': ({ media, upstream }) => upstream !== undefined || media.audio_urls.length > 0,
  'media.voices': ({ media, upstream }) => upstream !== undefined || media.voice_ids.length > 0,
  'media.styles': ({ media, upstream }) => upstream !== undefined || media.style_ids.length > 0,
  'media.guards': ({ media }) => media.guards === true,
  'tasks.deadline': ({ tasks }) => tasks.deadline_ms !== undefined,
  'tasks.retention': ({ tasks }) => tasks.retention_ms !== undefined,
  'song.actions': ({ song }) => Object.keys(song.actions).length > 0,
  'webhooks.receiver': ({ webhooks }) => webhooks.receiver !== undefined,
  'webhooks.secret': ({ tenants, webhooks }) =>
    tenants.length > 0
      ? tenants.every((tenant) => tenant.webhook_secret !== undefined)
      : webhooks.secret !== undefined,
  'webhooks.schedule': ({ webhooks }) => webhooks.schedule_ms !== undefined,
  'webhooks.timeout': ({ webhooks }) => webhooks.timeout_ms !== undefined,
  'webhooks.kit': ({ webhooks }) => webhooks.kit !== undefined,
  'webhooks.guards': ({ webhooks }) => webhooks.guards === true,
  // The specification promises them, so a profile need not declare them. A missing one is a fault unless the
  // profile lists it as absent.
  'admin.routes': promised('admin.routes'),
  chat: promised('chat'),
  'compat.a': promised('compat.a'),
  'compat.b': promised('compat.b'),
  images: promised('images'),
  tasks: promised('tasks'),
  webhooks: promised('webhooks'),
  billing: promised('billing'),
  'upstream.control': ({ upstream }) => upstream !== undefined,
  'upstream.breaker': ({ upstream }) => upstream?.breaker !== undefined,
  'upstream.routes.pair': hasRoute('pair'),
  'upstream.routes.trio': hasRoute('trio'),
  'upstream.routes.ranked': hasRoute('ranked'),
  'upstream.routes.fallback': hasRoute('fallback'),
  'upstream.routes.narrow': hasRoute('narrow'),
  'upstream.routes.queued': hasRoute('queued'),
  'upstream.media_routes': ({ upstream }) => (upstream?.media_routes ?? []).length > 0,
  'upstream.broken_listeners': ({ upstream }) => Object.keys(upstream?.broken_listeners ?? {}).length > 0,
  'hooks.clock': hasClock,
  'hooks.store': ({ hooks }) => hooks.store !== undefined,
  'hooks.usage': ({ hooks }) => hooks.usage !== undefined,
  'hooks.ledger': ({ hooks }) => hooks.ledger !== undefined,
  'hooks.balance': ({ hooks }) => hooks.balance !== undefined,
  'hooks.accounts': ({ hooks }) => hooks.accounts !== undefined,
  time: (profile) => hasClock(profile) || canWait(profile),
  'http.body_bytes': ({ http }) => http.body_bytes !== undefined,
  'http.direct': ({ http }) => http.direct === true,
  'http.header_timeout_ms': ({ http }) => http.header_timeout_ms !== undefined,
};

function promised(fact: Fact): Has {
  return ({ absent }) => !absent.includes(fact);
}

function hasRoute(wanted: string): Has {
  return ({ upstream }) => (upstream?.routes ?? []).some(({ kind }) => kind === wanted);
}

function hasKey(name: keyof Profile['keys']): Has {
  return ({ tenants, keys }) =>
    (tenants.length > 0 ? tenants.map((tenant) => tenant.keys) : [keys]).every(
      (own) => own[name] !== undefined,
    );
}

function hasRaised(profile: Profile): boolean {
  return hasKey('raised')(profile) && profile.cap.raised !== undefined;
}

function makesAccounts({ hooks }: Profile): boolean {
  return hooks.accounts !== undefined;
}

function hasClock(profile: Profile): boolean {
  return profile.hooks.clock !== undefined && profile.upstream !== undefined;
}

/** The longest deployment time limit that a check waits for without a movable clock, ms. */
const waitableMs = 5_000;

/** Whether the profile declares every wait of a routing check, and each one is short. */
export function canWait({ upstream }: Profile): boolean {
  if (upstream?.breaker === undefined) return false;
  const { first_byte_timeout_ms: first, idle_timeout_ms: idle = first, breaker } = upstream;
  const out = breaker.account_out_ms ?? 0;
  return Math.max(first, idle, out, breaker.window_ms, ...breaker.cool_down_ms) <= waitableMs;
}
