import type { Profile } from './profile.ts';

/** The address that a profile declares, whatever adapter of our own is in front of it. */
export function declaredUrl({ behind, base_url: url }: Pick<Profile, 'behind' | 'base_url'>): string {
  return behind ?? url;
}
