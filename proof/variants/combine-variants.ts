import type { Profile } from '../../suites/profile/profile.ts';
import { combineMutations } from '../../suites/rewrite/combine-mutations.ts';
import type { Variant } from '../edits/mutant.ts';

/** Combines harmless differences into one variant. What each may do, all of them together may do. */
export function combineVariants(id: string, parts: readonly Variant[]): Variant {
  return {
    id,
    title: `all at once: ${parts.map((part) => part.id).join(', ')}`,
    advised: parts.flatMap((part) => part.advised ?? []),
    declares: { chat: Object.assign({}, ...parts.map((part) => part.declares?.chat ?? {})) as ChatFacts },
    mutation: combineMutations(parts.map((part) => part.mutation)),
  };
}

type ChatFacts = Partial<Profile['chat']>;
