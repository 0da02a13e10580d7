import { isChatDialect } from '../catalogue/dialects.ts';
import type { Config } from '../config.ts';

const ownOnly = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/**
 * Explains in one sentence why other machines cannot use the URLs that this gateway gives out. Null if the URLs look usable
 * or no channel depends on them.
 */
export function uselessUrl(
  { public_url: publicUrl, channels }: Pick<Config, 'public_url' | 'channels'>,
  url: string,
): string | null {
  const made = channels.filter(({ dialect }) => !isChatDialect(dialect));
  if (made.length === 0 || !ownOnly.test(new URL(url).hostname)) return null;
  const uses = [
    `links to results of ${made.map(({ id }) => id).join(', ')}`,
    ...(made.some(({ callbacks }) => callbacks) ? ['callbacks of upstreams'] : []),
  ].join(' and ');
  const state =
    publicUrl === undefined ? 'public_url is not set' : 'public_url is an address of this machine alone';
  return `${state}: other machines cannot use ${uses}`;
}
