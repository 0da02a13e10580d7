import type { callerProtocols, Dialect } from '../profile/dialect.ts';

/** The protocol of a path of the specification ("Endpoints"). */
export function protocolOf(path: string): (typeof callerProtocols)[number] {
  if (path.startsWith('/compat-a/')) return 'compat-a';
  return path.startsWith('/compat-b/') ? 'compat-b' : 'core';
}

/** The group of fields that a path takes; null for the native protocols. */
export function groupOf(path: string): keyof Dialect['fields'] | null {
  const [, group] = /^\/api\/v1\/(chat|images|tasks)(?:[/?]|$)/.exec(path) ?? [];
  return (group as keyof Dialect['fields'] | undefined) ?? null;
}

/**
 * A path below the longest beginning that the table names; any other path stays. A path that the specification does not have
 * and the deployment does changes places with ours, so that it is as unknown there.
 */
export function ownPath(routes: Readonly<Record<string, string>>, path: string): string {
  const isBelow = (one: string): boolean =>
    path.startsWith(one) && /^(?:[/?:]|$)/.test(path.slice(one.length));
  const swaps = Object.entries(routes).filter(([, own]) => own !== '');
  const longest = (pairs: readonly (readonly [string, string])[]): readonly [string, string] | undefined =>
    pairs.filter(([one]) => isBelow(one)).toSorted(([one], [other]) => other.length - one.length)[0];
  const found = longest(Object.entries(routes)) ?? longest(swaps.map(([ours, own]) => [own, ours] as const));
  return found === undefined ? path : `${found[1]}${path.slice(found[0].length)}`;
}
