import { invalidParam } from '../errors/gateway-error.ts';

/** The request id in the query of a hook. */
export function requestIdIn(query: URLSearchParams): string {
  const ids = query.getAll('request_id');
  const [id] = ids;
  if (id === undefined || id === '' || ids.length > 1) {
    throw invalidParam('request_id', 'request_id must be given once: the id of a request.');
  }
  return id;
}
