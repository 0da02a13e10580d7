import { chatCatalogue } from '../oracle/chat-catalogue.ts';

/** The maximum number of models whose assumptions are listed. */
const shown = 8;

/** What is assumed of each model by its guessed role, line by line, so that its owner can see what is wrong. */
export function assumptionsOf(roles: readonly (readonly [own: string, like: string])[]): string[] {
  const lines = roles.slice(0, shown).flatMap(([own, like]) => {
    const role = chatCatalogue.find(({ id }) => id === like);
    if (role === undefined) return [];
    const more = (['vision', 'cache'] as const).filter((name) => role[name] === true);
    return [`  ${own}: a window of ${role.contextK}K tokens, ${['tools', 'stream', ...more].join(', ')}`];
  });
  return [
    'models: like is guessed from the name. Add context (tokens) and capabilities where this is wrong:',
    ...lines,
    ...(roles.length > shown ? [`  and ${roles.length - shown} more: docs/dialects.md lists the roles`] : []),
  ];
}
