import type { Profile } from './profile.ts';

/** The base URL of a profile without a password, so that it may be shown. A user without a password may be a token. */
export function declaredUrl({ base_url: url }: Pick<Profile, 'base_url'>): string {
  return url
    .replace(/^(\w+:\/\/)[^/?#:@]+:?@(?![^/?#]*@)/, '$1***@')
    .replace(/^(\w+:\/\/[^/?#]*?):[^/?#]*@/, '$1:***@');
}
