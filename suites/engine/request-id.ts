import type { Profile } from '../profile/profile.ts';
import { Untestable } from '../rules/violation.ts';
import type { Exchange } from '../wire/exchange.ts';

/** What a profile says about the header that names a request. */
export type NamesRequests = Pick<Profile, 'http'>;

/**
 * The ids under which a deployment may have recorded the request of an answer. There can be several, because a proxy in front
 * may have added its own. Not the id that the caller has sent: several calls may share it.
 */
export function requestIdsOf({ request, response }: Exchange, { http }: NamesRequests): readonly string[] {
  const sent = new Set(idsIn(request.headers, http.request_id));
  return idsIn(response?.headers ?? [], http.request_id).filter((id) => !sent.has(id));
}

function idsIn(headers: Exchange['request']['headers'], header: string): string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === header.toLowerCase())
    .flatMap(([, value]) => value.split(','))
    .map((id) => id.trim())
    .filter((id) => id !== '');
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
