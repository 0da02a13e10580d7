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

/** A path below the longest beginning that the table names; any other path stays. */
export function ownPath(routes: Readonly<Record<string, string>>, path: string): string {
  const [beginning] = Object.keys(routes)
    .filter((one) => path.startsWith(one) && /^(?:[/?:]|$)/.test(path.slice(one.length)))
    .toSorted((one, other) => other.length - one.length);
  return beginning === undefined ? path : `${routes[beginning]}${path.slice(beginning.length)}`;
}
