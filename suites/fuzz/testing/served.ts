import { chatCatalogue } from '../../oracle/chat-catalogue.ts';
import { mediaModels } from '../../oracle/media/models.ts';
import { minimalProfile } from '../../profile/load-profile.ts';
import { CaseDeck, type DeckOptions } from '../cases/case-deck.ts';
import type { Subject } from '../grammar/subject.ts';
import { subjectsOf } from '../grammar/subjects-of.ts';

export const profile = minimalProfile('http://127.0.0.1:9', 'sk-app-test-key');

/** Every endpoint and model of the specification. */
export const everySubject: readonly Subject[] = subjectsOf(profile, {
  models: chatCatalogue.map(({ id }) => id),
  mediaModels: mediaModels.map(({ id }) => id),
});

export function deckFor(options: Partial<DeckOptions> = {}, subjects = everySubject): CaseDeck {
  return new CaseDeck(subjects, { seed: 7, mayPay: true, ...options });
}
