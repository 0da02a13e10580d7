import type { Medium } from '../oracle/media/fields.ts';
import { type ConformanceProfile, conformanceProfiles } from '../profile/conformance-profiles.ts';

/**
 * The facts that a check may need of a target besides its URL. A missing fact makes the check `untestable`, and the result
 * names it. A fact that the profile lists under `absent` makes the check `not-applicable`.
 */
export const facts = [
  'keys.K1',
  'keys.K2',
  'keys.K3',
  'keys.K4',
  'keys.K5',
  'keys.disabled',
  'keys.expired',
  'keys.ip_restricted',
  'keys.ip_allowed',
  'keys.unexpired',
  'keys.ip_first',
  'keys.ip_last',
  'keys.ip_before',
  'keys.ip_after',
  'keys.no_model',
  'keys.no_credits',
  'keys.no_quota',
  'keys.fuse',
  'keys.raised',
  'spent',
  'fuse',
  'raised',
  'admin',
  'admin.routes',
  'pricing.models',
  'pricing.markup',
  'billing.abandoned_stream',
  'billing.overdraft',
  'context.tokenizer_exact',
  'chat.extra_models',
  'chat.image_links',
  'media.image_urls',
  'media.video_urls',
  'media.audio_urls',
  'media.voices',
  'media.styles',
  'media.guards',
  'tasks.deadline',
  'tasks.retention',
  'song.actions',
  'webhooks.receiver',
  'webhooks.secret',
  'webhooks.schedule',
  'webhooks.timeout',
  'webhooks.kit',
  'webhooks.guards',
  'chat',
  'compat.a',
  'compat.b',
  'images',
  'tasks',
  'webhooks',
  'billing',
  'upstream.control',
  'upstream.breaker',
  'upstream.routes.pair',
  'upstream.routes.trio',
  'upstream.routes.ranked',
  'upstream.routes.fallback',
  'upstream.routes.narrow',
  'upstream.routes.queued',
  'upstream.media_routes',
  'upstream.broken_listeners',
  'hooks.clock',
  'hooks.store',
  'hooks.usage',
  'hooks.ledger',
  'hooks.balance',
  'hooks.accounts',
  'charges',
  'time',
  'http.body_bytes',
  'http.direct',
  'http.header_timeout_ms',
] as const;

export type Fact = (typeof facts)[number];

/** The fact that a profile declares an input file of a medium. */
export function fileFact(medium: Medium): Fact {
  return `media.${medium}_urls`;
}

/** Parts of the specification that a deployment may declare absent. */
export const areaFacts = [
  'chat',
  'images',
  'tasks',
  'webhooks',
  'billing',
] as const satisfies readonly Fact[];

/** The conformance profiles whose rules are asked of a part of the specification. */
const profilesOf: Readonly<Record<(typeof areaFacts)[number], readonly ConformanceProfile[]>> = {
  chat: ['core-chat', 'streaming', 'limits', 'billing', 'upstream'],
  images: ['images'],
  tasks: ['tasks'],
  webhooks: ['webhooks'],
  billing: ['billing'],
};

/** Areas whose rules hold on every route: their checks call the routes that there are, or name the part that they need. */
const areasOfEveryRoute = ['AUTH'];

/** The parts of the specification that a check concerns, by its first rule or its needed facts. */
export function areaFactsOf({ requirements: [first], needs, anyProtocol }: AboutParts): Fact[] {
  const area = first.split('-')[0] ?? '';
  return areaFacts.filter(
    (name) =>
      (name !== 'chat' || (anyProtocol !== true && !areasOfEveryRoute.includes(area))) &&
      (profilesOf[name].some((profile) =>
        (conformanceProfiles[profile] as readonly string[]).includes(area),
      ) ||
        needs.some((fact) => fact.startsWith(`${name}.`))),
  );
}

interface AboutParts {
  readonly requirements: readonly [string, ...string[]];
  readonly needs: readonly Fact[];
  readonly anyProtocol?: true;
}
