import type { Dialect } from '../profile/dialects.ts';
import type { Body } from './defects.ts';
import type { Mutation } from './mutation.ts';
import { fromUpstream } from './native-edits.ts';

/** Changes the usage wherever one dialect reports it. */
export function counting(dialect: Dialect, edit: (usage: Body) => void): Mutation {
  return fromUpstream(dialect, (part) => {
    const usage = usageIn(part);
    if (usage !== undefined) edit(usage);
  });
}

/** The usage of an answer or of an event, in whatever place its dialect has for it. */
export function usageIn(part: Body): Body | undefined {
  const usage = part.usage ?? (part.message as Body | undefined)?.usage ?? part.usageMetadata;
  return usage === null ? undefined : (usage as Body | undefined);
}

export function countOf(usage: Body, name: string): number {
  return Number(usage[name] ?? 0);
}
