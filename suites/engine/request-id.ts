import type { Profile } from '../profile/profile.ts';
import { Untestable } from '../rules/violation.ts';
import type { Exchange } from '../wire/exchange.ts';

/** What a profile says about the header that names a request. */
export type NamesRequests = Pick<Profile, 'http'>;

/**
 * The ids under which a deployment may have recorded the request of an answer. There can be several, because a proxy in front
 * may have added its own. None if the caller has sent an id: a deployment may take it over, and several calls may share it.
 */
export function requestIdsOf({ request, response }: Exchange, { http }: NamesRequests): readonly string[] {
  if (request.headers.some(([name]) => name.toLowerCase() === http.request_id.toLowerCase())) return [];
  const values = (response?.headers ?? [])
    .filter(([name]) => name.toLowerCase() === http.request_id.toLowerCase())
    .flatMap(([, value]) => value.split(','))
    .map((id) => id.trim());
  return values.filter((id) => id !== '');
}

/** Whether an answer names its request. A missing answer does not. */
export function namesRequest(exchange: Exchange, profile: NamesRequests): boolean {
  return requestIdsOf(exchange, profile).length > 0;
}

/**
 * The first record for an id of the answer for which `isFound` holds, otherwise the last record.
 * @throws Untestable when the answer names no request.
 */
export async function recordedUnder<T>(
  exchange: Exchange,
  profile: NamesRequests,
  lookup: { readonly read: (id: string) => Promise<T>; readonly isFound: (record: T) => boolean },
): Promise<T> {
  const [first, ...others] = requestIdsOf(exchange, profile);
  if (first === undefined)
    throw new Untestable(`http.request_id: an answer without ${profile.http.request_id}`);
  let record = await lookup.read(first);
  for (const id of others) {
    if (lookup.isFound(record)) break;
    record = await lookup.read(id);
  }
  return record;
}
