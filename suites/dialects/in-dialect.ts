import { type ChatModel, chatCatalogue, declareModels } from '../oracle/chat-catalogue.ts';
import { UsageError } from '../process/exit-codes.ts';
import type { Dialect } from '../profile/dialect.ts';
import type { ExtraModel, Profile } from '../profile/profile.ts';
import { type Common, withLacking } from './lacking-capabilities.ts';
import type { ModelMap } from './model-map.ts';
import { wholeDialect } from './read-dialect.ts';
import { inRoles } from './roles-of-profile.ts';
import { translationOf } from './translate.ts';
import { specifiedSecret } from './translate-events.ts';
import { unknownNames } from './unknown-names.ts';

/**
 * The profile for checks: its own models under their roles, and translations for the rest. Unchanged if it declares no
 * dialect.
 * @throws UsageError when the dialect has a name that means nothing, or extends a missing dialect
 */
export function inDialect(profile: Profile): Profile {
  if (profile.dialect === undefined) return profile;
  const dialect = wholeDialect(profile.dialect, process.cwd());
  const faults = unknownNames(dialect);
  if (faults.length > 0) throw new UsageError(faults.join('; '));
  const shared = sharedByPlayers(dialect);
  const { cast, extras, leftOut } = castOf(dialect, shared);
  declareModels(new Map([...cast].map(([role, { facts }]) => [role, facts])));
  const models = mapOf(new Map([...cast].map(([role, { own }]) => [role, own])));
  const known = inRoles(withSecrets(profile, dialect), models.roleOf);
  const enabled = known.models.enabled ?? (cast.size === 0 ? undefined : [...cast.keys()]);
  return {
    ...known,
    dialect,
    models: { ...known.models, ...(enabled && { enabled }) },
    chat: { ...known.chat, extra_models: [...known.chat.extra_models, ...extras] },
    absent: [...new Set([...known.absent, ...absentIn(dialect)])],
    ...(leftOut.length > 0 && { leftOut }),
    translation: withLacking(
      translationOf(dialect, models, secretsOf(known)),
      all.filter((one) => !shared.includes(one)),
    ),
  };
}

/** What a dialect has not: what it describes is there, whatever a dialect that it extends says. */
function absentIn({ absent, tasks, webhooks }: Dialect): string[] {
  const isThere = (fact: string): boolean =>
    (fact === 'tasks' && tasks.submit !== undefined) || (fact === 'webhooks' && webhooks !== undefined);
  return absent.filter((fact) => !isThere(fact));
}

/** Its secrets of events as Standard Webhooks writes them, and the header with their time as the translation names it. */
function withSecrets(profile: Profile, dialect: Dialect): Profile {
  if (dialect.webhooks === undefined) return profile;
  const written = (secret?: string) => (secret === undefined ? undefined : specifiedSecret(secret, dialect));
  const { secret, ...webhooks } = profile.webhooks;
  return {
    ...profile,
    webhooks: { ...webhooks, timestamp_header: 'X-Service-Timestamp', secret: written(secret) },
    tenants: profile.tenants.map((tenant) => ({ ...tenant, webhook_secret: written(tenant.webhook_secret) })),
  };
}

function secretsOf({ webhooks, tenants }: Profile): string[] {
  const all = [webhooks.secret, ...tenants.map((tenant) => tenant.webhook_secret)];
  return [...new Set(all.filter((secret) => secret !== undefined))];
}

/** The capabilities that all models of the catalogue have. */
const all: readonly Common[] = ['tools', 'stream'];

/** The deployment's model that plays a role, with its own facts. */
interface Player {
  readonly own: string;
  readonly facts: Partial<ChatModel>;
}

const undeclared = { context: undefined, capabilities: undefined, absent: undefined };

/**
 * What the models that play roles have in common: tools and streams, as in the catalogue, unless no model has both. Then checks
 * use what some models have, and rules about the rest have nothing to judge.
 */
function sharedByPlayers({ models }: Dialect): readonly Common[] {
  const chats = Object.values(models).filter(({ like }) => chatCatalogue.some(({ id }) => id === like));
  if (chats.length === 0) return all;
  const choices: readonly (readonly Common[])[] = [all, ['stream'], ['tools'], []];
  return (
    choices.find((shared) =>
      chats.some((model) => hasAll({ ...undeclared, ...model }.capabilities, shared)),
    ) ?? []
  );
}

function hasAll(capabilities: ExtraModel['capabilities'] | undefined, shared: readonly Common[]): boolean {
  return capabilities === undefined || shared.every((one) => capabilities.includes(one));
}

/**
 * One model plays each role. A second one with the same role, or one without the capabilities of every role, is an extra
 * model. A player that lacks tools or streams is one, too: that it refuses them is judged.
 */
function castOf(
  { models }: Dialect,
  shared: readonly Common[],
): {
  cast: Map<string, Player>;
  extras: ExtraModel[];
  leftOut: string[];
} {
  const cast = new Map<string, Player>();
  const extras: ExtraModel[] = [];
  const leftOut: string[] = [];
  for (const [id, own] of Object.entries(models)) {
    const { like, context, capabilities, absent } = { ...undeclared, ...own };
    const role = chatCatalogue.find((model) => model.id === like);
    const isInChat = role !== undefined && absent?.includes('chat') !== true;
    const plays = !cast.has(like) && hasAll(capabilities, shared);
    if (plays)
      cast.set(like, { own: id, facts: { ...factsOf(context, capabilities), absentOn: absent ?? [] } });
    if (isInChat && !(plays && hasAll(capabilities, all)))
      extras.push({
        id: plays ? like : id,
        context_tokens: context ?? role.contextK * 1_000,
        capabilities: capabilities ?? ['tools', 'stream', ...capabilitiesOf(role)],
      });
    else if (!plays) leftOut.push(notJudged(id, like, cast));
  }
  return { cast, extras, leftOut };
}

/** Why a model is not judged. Only chat completions are judged with several models of a role. */
function notJudged(id: string, like: string, cast: ReadonlyMap<string, Player>): string {
  const player = cast.get(like);
  const why =
    player === undefined
      ? `it lacks tools or streams, which all models of ${like} have`
      : `${player.own} has the role ${like}, and outside chat completions one model of a role is judged`;
  return `dialect.models: ${id} is not judged: ${why}. Give it another role (like: …), or leave it out.`;
}

function capabilitiesOf({ vision, cache }: ChatModel): ExtraModel['capabilities'] {
  return [...(vision === true ? (['vision'] as const) : []), ...(cache ? (['cache'] as const) : [])];
}

function factsOf(context?: number, capabilities?: ExtraModel['capabilities']): Partial<ChatModel> {
  const vision = capabilities?.includes('vision');
  return {
    ...(context !== undefined && { contextK: context / 1_000 }),
    ...(vision !== undefined && { vision, cache: capabilities?.includes('cache') === true }),
    ...(vision === false && { media: false }),
  };
}

function mapOf(ownIds: ReadonlyMap<string, string>): ModelMap {
  const roles = new Map([...ownIds].map(([role, own]) => [own, role]));
  const [usual = 'delta-3'] = roles.keys();
  return { usual, ownOf: (role) => ownIds.get(role) ?? role, roleOf: (own) => roles.get(own) ?? own };
}
