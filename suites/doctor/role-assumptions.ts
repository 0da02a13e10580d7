import { chatCatalogue } from '../oracle/chat-catalogue.ts';
import type { ListedFacts } from './listed-facts.ts';

/** The maximum number of models whose assumptions are listed. */
const shown = 8;

/** What is assumed of each model by its list, or else by its guessed role, line by line, so that its owner can see what is wrong. */
export function assumptionsOf(
  roles: readonly (readonly [own: string, like: string])[],
  listed: ReadonlyMap<string, ListedFacts> = new Map(),
): string[] {
  const lines = roles.slice(0, shown).flatMap(([own, like]) => {
    const role = chatCatalogue.find(({ id }) => id === like);
    if (role === undefined) return [];
    const more = (['vision', 'cache'] as const).filter((name) => role[name] === true);
    const { context = role.contextK * 1_000, capabilities = ['tools', 'stream', ...more] } =
      listed.get(own) ?? {};
    return [`  ${own}: a window of ${context / 1_000}K tokens, ${capabilities.join(', ')}`];
  });
  return [
    'models: like is the catalogue model whose rules apply, guessed from the name. Add context (tokens) and capabilities where this is wrong:',
    ...lines,
    ...(roles.length > shown ? [`  and ${roles.length - shown} more: docs/dialects.md lists the roles`] : []),
  ];
}
