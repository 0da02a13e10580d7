import { chatCatalogue, otherModels } from '../oracle/chat-catalogue.ts';

/** Parts of names that models of other kinds have. */
const otherKinds =
  /embed|rerank|moderation|guard|whisper|transcri|\btts\b|speech|voice|music|\baudio\b|image|dall-?e|diffusion|\bflux\b|imagen/i;

const videos = /video|\bveo|\bsora|\bclip\b|t2v|i2v/i;

/** Whether a model makes videos, by its name. */
export function isVideoName(id: string): boolean {
  return videos.test(id);
}

/** Whether a model may serve chats, by its name; those of the catalogue have names of their own. */
export function isChatName(id: string): boolean {
  return otherModels.includes(id) || !(otherKinds.test(id) || isVideoName(id));
}

/** Video roles that need a prompt alone. */
const videoRoles = ['vidC-v25-t2v-pro', 'vidC-v21-master-t2v', 'delta-imagine-t2v'] as const;

/** Roles by usual parts of model names; the least demanding role for all other names. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/claude|anthropic|beta/i, 'beta'],
  [/gemini|gamma/i, 'gamma'],
  [/codex/i, 'codex'],
  [/gpt|\bo\d|alpha/i, 'alpha-5'],
];

/** Roles with few requirements, the least demanding first. */
const plainRoles = ['delta-3', 'alpha-codex', 'alpha-5-codex', 'alpha-5-2', 'alpha-5-pro'];

/**
 * The role of each listed model; none where the list has the whole catalogue.
 * @param family of the roles, where only that one is served
 */
export function guessedRoles(models: readonly string[], family?: string): [own: string, like: string][] {
  const roles = chatCatalogue.map(({ id }) => id);
  const catalogue = [...roles, ...otherModels];
  const free = new Set<string>([...roles, ...videoRoles].filter((id) => !models.includes(id)));
  if (catalogue.every((id) => models.includes(id))) return [];
  return models.map((id) => {
    if (catalogue.includes(id)) return [id, id];
    if (isVideoName(id)) return [id, videoRoles.find((role) => free.delete(role)) ?? videoRoles[0]];
    const hint = family ?? hints.find(([pattern]) => pattern.test(id))?.[1];
    const fits = hint === undefined ? plainRoles : roles.filter((role) => role.includes(hint));
    // A second model of a role counts as an extra model.
    const like = fits.find((role) => free.has(role)) ?? fits[0] ?? 'delta-3';
    free.delete(like);
    return [id, like];
  });
}
