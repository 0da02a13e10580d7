import type { Profile } from './profile.ts';

/** How business keys begin by the specification ("Authentication"). */
const specified = 'sk-app-';

/** How business keys begin here; null where the profile says that they have no common beginning. */
export function keyPrefixOf({ dialect }: Pick<Profile, 'dialect'>): string | null {
  const own = dialect?.keys.prefix;
  return own === undefined ? specified : own;
}

/** Some short words and separators before at least twelve other characters: a prefix, and no part of a secret. */
const usual = /^(?:[a-z]{2,8}[-_]){1,3}(?=[\w-]{12,}$)/;

/** The beginning of a key that looks like a prefix; null for none, undefined for the one of the specification. */
export function prefixIn(key: string): string | null | undefined {
  return key.startsWith(specified) ? undefined : (usual.exec(key)?.[0] ?? null);
}
