import { facts } from '../engine/facts.ts';
import { chatCatalogue } from '../oracle/chat-catalogue.ts';
import { mediaModels } from '../oracle/media/models.ts';
import { UsageError } from '../process/exit-codes.ts';
import type { Profile } from '../profile/profile.ts';
import { nearest } from '../values/nearest.ts';

/**
 * Refuses words of a profile that mean nothing: they would silently leave out what they were meant to say.
 * @param listed ids that the deployment lists: it may have models of its own
 * @throws UsageError with each such word and the nearest one that is known
 */
export function assertKnownWords(profile: Profile, listed: readonly string[]): void {
  const models = [
    ...[...chatCatalogue, ...mediaModels].map(({ id }) => id),
    ...profile.chat.extra_models.map(({ id }) => id),
    ...listed,
  ];
  const faults = [
    ...unknownIn('absent', profile.absent, facts),
    ...unknownIn('models.enabled', profile.models.enabled ?? [], models),
    ...unknownIn('models.disabled_for_no_model', [profile.models.disabled_for_no_model ?? []].flat(), models),
    ...unknownIn('chat.json_schema_models', profile.chat.json_schema_models ?? [], models),
    ...unknownIn('chat.media_models', profile.chat.media_models ?? [], models),
  ];
  if (faults.length > 0) throw new UsageError(`unknown names in the profile: ${faults.join('; ')}`);
}

function unknownIn(member: string, words: readonly string[], known: readonly string[]): string[] {
  return words
    .filter((word) => !known.includes(word))
    .map((word) => `${member}: ${word} (did you mean ${nearest(word, known)}?)`);
}
