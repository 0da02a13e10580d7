import type { Profile } from './profile.ts';

/**
 * The address that a profile declares, whatever adapter of our own is in front of it. It may be shown: a password within it
 * is left out.
 */
export function declaredUrl({ behind, base_url: url }: Pick<Profile, 'behind' | 'base_url'>): string {
  return (behind ?? url).replace(/^(\w+:\/\/[^/?#]*?):[^/?#]*@/, '$1:***@');
}
