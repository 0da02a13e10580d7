import type { Profile } from './profile.ts';

/** The address that a profile declares. It may be shown: a password within it is left out. */
export function declaredUrl({ base_url: url }: Pick<Profile, 'base_url'>): string {
  return url.replace(/^(\w+:\/\/[^/?#]*?):[^/?#]*@/, '$1:***@');
}
