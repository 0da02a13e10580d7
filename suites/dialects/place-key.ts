import type { callerProtocols, Dialect } from '../profile/dialect.ts';
import type { CarriedRequest } from '../profile/translation.ts';

type Protocol = (typeof callerProtocols)[number];

/** Where each protocol has the key ("Authentication"). */
const specified: Readonly<Record<Protocol, { readonly header?: string; readonly query?: string }>> = {
  core: { header: 'authorization' },
  'compat-a': { header: 'x-api-key' },
  'compat-b': { query: 'key' },
};

/**
 * Moves the key of a request to the dialect's place. A request without a key or with two stays unchanged, and a malformed key
 * stays malformed. On core routes, a key that is at the dialect's place already is moved away.
 */
export function placeKey(keys: Dialect['keys'], protocol: Protocol, request: CarriedRequest): CarriedRequest {
  const place = keys[protocol];
  if (place === undefined) return request;
  const { header = '', query = '' } = specified[protocol];
  if (header !== '') {
    const found = request.headers.filter(([name]) => name.toLowerCase() === header);
    const [pair] = found;
    if (pair === undefined && protocol === 'core') return fromOwnPlace(request, place);
    if (pair === undefined || found.length > 1) return request;
    const isBearer = header === 'authorization' && /^bearer +\S+$/i.test(pair[1]);
    const key = isBearer ? pair[1].replace(/^bearer +/i, '') : pair[1];
    const hasForm = header !== 'authorization' || isBearer;
    // Where the key has no scheme, one without a scheme would be well-formed there, so it stays where it is.
    if (!hasForm && place.form === '{key}' && !/\s/.test(pair[1])) return request;
    const value = hasForm ? place.form.replace('{key}', () => key) : pair[1];
    const headers = request.headers.filter((one) => one !== pair);
    return withKey({ ...request, headers }, place, value, request.headers.indexOf(pair));
  }
  const [path = '', text = ''] = request.path.split(/\?(.*)/s);
  const parts = text.split('&').filter((part) => part !== '');
  const own = parts.filter((part) => part.startsWith(`${query}=`));
  const [part] = own;
  if (part === undefined || own.length > 1) return request;
  const rest = parts.filter((one) => one !== part).join('&');
  const key = place.form.replace('{key}', () => decodeURIComponent(part.slice(query.length + 1)));
  return withKey({ ...request, path: rest === '' ? path : `${path}?${rest}` }, place, key, 0);
}

/** A place that no gateway reads. */
const nowhere = 'x-key-of-no-place';

/**
 * A key that a check puts where the dialect has its keys, which the specification does not accept on core routes. The place
 * that the specification has is no wrong one in its stead, because a deployment may accept both. So it goes nowhere.
 */
function fromOwnPlace(
  request: CarriedRequest,
  { header = '', query }: NonNullable<Dialect['keys'][Protocol]>,
): CarriedRequest {
  const named = header.toLowerCase();
  const headers = request.headers.map(([name, value]): readonly [string, string] =>
    name.toLowerCase() === named && named !== '' ? [nowhere, value] : [name, value],
  );
  const [path = '', text = ''] = request.path.split(/\?(.*)/s);
  const parts = text.split('&').filter((part) => part !== '');
  const own = parts.find((part) => query !== undefined && part.startsWith(`${query}=`));
  if (own === undefined) return { ...request, headers };
  const rest = parts.filter((part) => part !== own).join('&');
  const key = decodeURIComponent(own.slice(own.indexOf('=') + 1));
  return {
    ...request,
    path: rest === '' ? path : `${path}?${rest}`,
    headers: [...headers, [nowhere, key]],
  };
}

function withKey(
  request: CarriedRequest,
  { header, query }: NonNullable<Dialect['keys'][Protocol]>,
  value: string,
  at: number,
): CarriedRequest {
  if (header !== undefined) return { ...request, headers: request.headers.toSpliced(at, 0, [header, value]) };
  const joint = request.path.includes('?') ? '&' : '?';
  return { ...request, path: `${request.path}${joint}${query}=${encodeURIComponent(value)}` };
}

/** Moves the key from the dialect's place to the specified one. */
export function specifiedKey(
  keys: Dialect['keys'],
  protocol: Protocol,
  request: CarriedRequest,
): CarriedRequest {
  const place = keys[protocol];
  if (place === undefined) return request;
  const { header = '', query = '' } = specified[protocol];
  const [path = '', text = ''] = request.path.split(/\?(.*)/s);
  const parts = text.split('&').filter((part) => part !== '');
  const part = parts.find((one) => one.startsWith(`${place.query}=`));
  const pair = request.headers.find(([name]) => name.toLowerCase() === place.header?.toLowerCase());
  const value =
    pair?.[1] ?? (part === undefined ? undefined : decodeURIComponent(part.slice(part.indexOf('=') + 1)));
  if (value === undefined) return request;
  const [before = '', after = ''] = place.form.split('{key}');
  const hasForm = value.startsWith(before) && value.endsWith(after);
  const key = hasForm ? value.slice(before.length, value.length - after.length) : value;
  const rest = parts.filter((one) => one !== part).join('&');
  const headers = request.headers.filter((one) => one !== pair);
  const form = protocol === 'core' && hasForm ? 'Bearer {key}' : '{key}';
  const bare = { ...request, headers, path: rest === '' ? path : `${path}?${rest}` };
  const to = header === '' ? { query, form } : { header, form };
  return withKey(
    bare,
    to,
    form.replace('{key}', () => key),
    headers.length,
  );
}
