import type { callerProtocols, Dialect } from '../profile/dialect.ts';
import { continued } from './model-route.ts';

/** The protocol of a path of the specification ("Endpoints"). */
export function protocolOf(path: string): (typeof callerProtocols)[number] {
  if (path.startsWith('/compat-a/')) return 'compat-a';
  return path.startsWith('/compat-b/') ? 'compat-b' : 'core';
}

/** The paths of the specification ("Endpoints"). */
export const specifiedPaths =
  /^(?:\/api\/v1\/(?:chat\/completions|models|images\/generations|tasks(?:\/[^/]+)?)|\/compat-a\/v1\/messages|\/compat-b\/v1beta\/models\/[^/]+:\w+)(?:\?|$)/;

/** The group of fields that a path takes; null for the native protocols. */
export function groupOf(path: string): keyof Dialect['fields'] | null {
  const [, group] = /^\/api\/v1\/(chat|images|tasks)(?:[/?]|$)/.exec(path) ?? [];
  return (group as keyof Dialect['fields'] | undefined) ?? null;
}

/** Whether a path is another one, or continues it. */
export function isBelow(path: string, other: string): boolean {
  return path.startsWith(other) && /^(?:[/?&:]|$)/.test(path.slice(other.length));
}

/**
 * Replaces the longest mapped prefix of a path; other paths stay. A path that only the deployment has is swapped with ours,
 * so that it is unknown there too.
 */
export function ownPath(routes: Readonly<Record<string, string>>, path: string): string {
  const swaps = Object.entries(routes).filter(([, own]) => /^\/[^{?]*$/.test(own));
  const longest = (pairs: readonly (readonly [string, string])[]): readonly [string, string] | undefined =>
    pairs.filter(([one]) => isBelow(path, one)).toSorted(([one], [other]) => other.length - one.length)[0];
  const found = longest(Object.entries(routes)) ?? longest(swaps.map(([ours, own]) => [own, ours] as const));
  // Where ours is below no prefix of its own, one without our prefix would be the same path there.
  const bare = Object.entries(routes).find(([ours, own]) => own === '' && specifiedPaths.test(ours + path));
  if (found === undefined && bare !== undefined) return bare[0] + path;
  return found === undefined ? path : continued(found[1], path.slice(found[0].length));
}

/** The places of task ids in paths, in the specification and in a dialect. */
type TaskPlaces = Pick<Dialect['tasks'], 'submit' | 'read'>;

const submitPath = '/api/v1/tasks';

/** The dialect's path for a task; null for any other path. */
export function ownTaskPath({ submit, read }: TaskPlaces, path: string): string | null {
  const [whole, id, rest = ''] = /^\/api\/v1\/tasks(?:\/([^/?]+))?(.*)$/s.exec(path) ?? [];
  const place = id === undefined ? submit : read;
  if (whole === undefined || !isBelow(path, submitPath) || place === undefined) return null;
  const own = place.replace('{id}', () => id ?? '');
  return own + (own.includes('?') ? rest.replace('?', '&') : rest);
}

/** The path in the specification of a path about tasks in a dialect; null for any other. */
export function specifiedTaskPath({ submit, read = '' }: TaskPlaces, path: string): string | null {
  const [before = '', after = ''] = read.split('{id}');
  const [id = ''] = path.startsWith(before) ? (/^[^/?&]*/.exec(path.slice(before.length)) ?? []) : [];
  const rest = path.slice(before.length + id.length);
  if (read !== '' && id !== '' && isBelow(rest, after))
    return `${submitPath}/${id}${rest.slice(after.length).replace('&', '?')}`;
  const isSubmit = submit !== undefined && path.replace(/\?.*$/s, '') === submit;
  return isSubmit ? `${submitPath}${path.slice(submit.length)}` : null;
}
