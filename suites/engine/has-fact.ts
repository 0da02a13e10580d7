import type { Profile } from '../profile/profile.ts';
import { areaFacts, type Fact, type MediaFact, type MoneyFact, type WebhookFact } from './facts.ts';

/** The facts among `needs` that the profile does not declare. Where a whole part is absent, no other fact matters. */
export function missingFacts(needs: readonly Fact[], profile: Profile): Fact[] {
  const missing = needs.filter((fact) => !hasFact(fact, profile));
  const areas = missing.filter((fact) => (areaFacts as readonly Fact[]).includes(fact));
  return areas.length > 0 ? areas : missing;
}

function hasFact(fact: Fact, profile: Profile): boolean {
  switch (fact) {
    case 'keys.K1':
      return true;
    case 'keys.K2':
    case 'keys.K3':
    case 'keys.K4':
    case 'keys.K5':
    case 'keys.disabled':
    case 'keys.expired':
    case 'keys.ip_restricted':
    case 'keys.ip_allowed':
    case 'keys.unexpired':
    case 'keys.ip_first':
    case 'keys.ip_last':
    case 'keys.ip_before':
    case 'keys.ip_after':
    case 'keys.no_credits':
    case 'keys.no_quota':
    case 'keys.fuse':
      return keyPresent(fact.slice('keys.'.length) as keyof Profile['keys'], profile);
    case 'keys.no_model':
      return keyPresent('no_model', profile) && profile.models.disabled_for_no_model !== undefined;
    case 'keys.raised':
      return keyPresent('raised', profile) && profile.cap.raised !== undefined;
    case 'spent':
    case 'fuse':
    case 'raised':
    case 'admin':
    case 'pricing.models':
    case 'pricing.markup':
    case 'billing.abandoned_stream':
    case 'billing.overdraft':
    case 'charges':
      return hasMoneyFact(fact, profile);
    case 'context.tokenizer_exact':
      return profile.context.tokenizer_exact && profile.context.k !== undefined;
    case 'chat.extra_models':
      return profile.chat.extra_models.length > 0;
    case 'chat.image_links':
      return profile.chat.image_links.length > 0;
    case 'media.image_urls':
    case 'media.video_urls':
    case 'media.audio_urls':
    case 'media.voices':
    case 'media.styles':
    case 'media.guards':
    case 'tasks.deadline':
    case 'tasks.retention':
    case 'song.actions':
    case 'upstream.media_routes':
      return hasMediaFact(fact, profile);
    case 'webhooks.receiver':
    case 'webhooks.secret':
    case 'webhooks.schedule':
    case 'webhooks.timeout':
    case 'webhooks.kit':
    case 'webhooks.guards':
      return hasWebhookFact(fact, profile);
    case 'compat.a':
    case 'compat.b':
    case 'images':
    case 'tasks':
    case 'webhooks':
    case 'billing':
      // The specification promises them, so a profile need not declare them. A missing one is a fault unless the
      // profile lists it as absent.
      return !profile.absent.includes(fact);
    case 'upstream.control':
      return profile.upstream !== undefined;
    case 'upstream.breaker':
      return profile.upstream?.breaker !== undefined;
    case 'upstream.routes.pair':
    case 'upstream.routes.trio':
    case 'upstream.routes.ranked':
    case 'upstream.routes.fallback':
    case 'upstream.routes.narrow':
    case 'upstream.routes.queued':
      return (profile.upstream?.routes ?? []).some(({ kind }) => `upstream.routes.${kind}` === fact);
    case 'upstream.doors':
      return Object.keys(profile.upstream?.doors ?? {}).length > 0;
    case 'hooks.clock':
      return hasClock(profile);
    case 'hooks.store':
    case 'hooks.usage':
    case 'hooks.ledger':
    case 'hooks.balance':
    case 'hooks.accounts':
      return profile.hooks[fact.slice('hooks.'.length) as keyof Profile['hooks']] !== undefined;
    case 'time':
      return hasClock(profile) || canWait(profile);
    case 'http.body_bytes':
      return profile.http.body_bytes !== undefined;
    case 'http.direct':
      return profile.http.direct === true;
    case 'http.header_timeout_ms':
      return profile.http.header_timeout_ms !== undefined;
  }
}

function hasMediaFact(fact: MediaFact, { media, song, tasks, upstream }: Profile): boolean {
  const isSimulated = upstream !== undefined;
  switch (fact) {
    case 'media.image_urls':
      return isSimulated || media.image_urls.length > 0;
    case 'media.video_urls':
      return isSimulated || media.video_urls.length > 0;
    case 'media.audio_urls':
      return isSimulated || media.audio_urls.length > 0;
    case 'media.voices':
      return isSimulated || media.voice_ids.length > 0;
    case 'media.styles':
      return isSimulated || media.style_ids.length > 0;
    case 'media.guards':
      return media.guards === true;
    case 'tasks.deadline':
      return tasks.deadline_ms !== undefined;
    case 'tasks.retention':
      return tasks.retention_ms !== undefined;
    case 'song.actions':
      return Object.keys(song.actions).length > 0;
    case 'upstream.media_routes':
      return (upstream?.media_routes ?? []).length > 0;
  }
}

function hasWebhookFact(fact: WebhookFact, { tenants, webhooks }: Profile): boolean {
  switch (fact) {
    case 'webhooks.receiver':
      return webhooks.receiver !== undefined;
    case 'webhooks.secret':
      return tenants.length > 0
        ? tenants.every((tenant) => tenant.webhook_secret !== undefined)
        : webhooks.secret !== undefined;
    case 'webhooks.schedule':
      return webhooks.schedule_ms !== undefined;
    case 'webhooks.timeout':
      return webhooks.timeout_ms !== undefined;
    case 'webhooks.kit':
      return webhooks.kit !== undefined;
    case 'webhooks.guards':
      return webhooks.guards === true;
  }
}

function hasMoneyFact(fact: MoneyFact, profile: Profile): boolean {
  const { admin, billing, hooks, pricing } = profile;
  const makes = hooks.accounts !== undefined;
  switch (fact) {
    case 'spent':
      return makes || (keyPresent('no_credits', profile) && keyPresent('no_quota', profile));
    case 'fuse':
      return makes || keyPresent('fuse', profile);
    case 'raised':
      return makes || hasFact('keys.raised', profile);
    case 'admin':
      return admin !== undefined;
    case 'pricing.models':
      return pricing.models !== undefined;
    case 'pricing.markup':
      return pricing.markup_bp !== undefined;
    case 'billing.abandoned_stream':
      return billing.abandoned_stream !== undefined;
    case 'billing.overdraft':
      return billing.overdraft !== undefined;
    case 'charges':
      return hooks.ledger !== undefined || hooks.balance !== undefined;
  }
}

function hasClock(profile: Profile): boolean {
  return profile.hooks.clock !== undefined && profile.upstream !== undefined;
}

/** The longest time limit of a deployment for which a check waits when no clock can be moved, ms. */
const waitableMs = 5_000;

/** Whether the profile declares every wait of a routing check, and each one is short. */
export function canWait({ upstream }: Profile): boolean {
  if (upstream?.breaker === undefined) return false;
  const { first_byte_timeout_ms: first, idle_timeout_ms: idle = first, breaker } = upstream;
  const out = breaker.account_out_ms ?? 0;
  return Math.max(first, idle, out, breaker.window_ms, ...breaker.cool_down_ms) <= waitableMs;
}

function keyPresent(name: keyof Profile['keys'], profile: Profile): boolean {
  const places = profile.tenants.length > 0 ? profile.tenants.map((tenant) => tenant.keys) : [profile.keys];
  return places.every((keys) => keys[name] !== undefined);
}
