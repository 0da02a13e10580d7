import { seededHex } from '../../random.ts';
import type { LinkedFile } from '../../state/jobs/linked-file.ts';

/** The base URL of an upstream's files, and the key that signs its links. */
export interface LinkBase {
  /** The `host` header of the request. */
  readonly host: string;
  readonly tenant: string;
  readonly channel: string;
  readonly seed: number;
}

/** A signed link, valid until a time on the simulators' clock. Downloading needs no key. */
export function linkTo({ id, content, isInQuery }: LinkedFile, expiresMs: number, base: LinkBase): string {
  const expires = String(Math.floor(expiresMs));
  const files = `http://${base.host}/${base.tenant}/${base.channel}/v1/files`;
  const place = isInQuery ? `${files}/${shared}.${content.ext}?id=${id}&` : `${files}/${id}.${content.ext}?`;
  return `${place}expires=${expires}&signature=${signatureOf(id, expires, base)}`;
}

/** The id that a link is for: the name in its path, or the `id` of its query. */
export function linkedId(name: string, query: URLSearchParams): string {
  return name === shared ? (query.get('id') ?? name) : name;
}

/** The path name that all links share if they differ only in their query. */
const shared = 'made';

/** Whether the link is unaltered and has not expired. */
export function isGood(
  id: string,
  query: URLSearchParams,
  nowMs: number,
  base: Pick<LinkBase, 'tenant' | 'seed'>,
): boolean {
  const expires = query.get('expires') ?? '';
  return query.get('signature') === signatureOf(id, expires, base) && nowMs < Number(expires);
}

function signatureOf(
  id: string,
  expires: string,
  { seed, tenant }: Pick<LinkBase, 'tenant' | 'seed'>,
): string {
  return seededHex(32, 'link', seed, tenant, id, expires);
}
