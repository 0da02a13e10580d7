import { createHash } from 'node:crypto';
import type { WireRequest } from '../wire/client.ts';
import { withoutIssued, withoutKey } from './requests.ts';

/**
 * How many characters of a body go into the draw: enough to distinguish cases, even those that contain a whole
 * video.
 */
const bodyPart = 4_096;

/**
 * Offers gzip on half of a check's calls, drawn by (seed, check, request). A gateway may choose whether to
 * compress (reading B-09), so its answers must be right in both forms. Drawing makes sure that both forms are
 * tried where a gateway compresses. Scene markers, keys in a query and ids that the deployment made (`issued`) do
 * not affect the draw, so a replay offers the same. A request that sets its own `Accept-Encoding` keeps it.
 */
export function withGzipOffer(
  request: WireRequest,
  seed: number,
  checkId: string,
  issued: Iterable<string> = [],
): WireRequest {
  const names = Object.keys(request.headers ?? {}).map((name) => name.toLowerCase());
  if (names.includes('accept-encoding')) return request;
  const occasion = `${seed}:${checkId}:${request.method} ${withoutKey(request.path)}\n${withoutIssued(bodyOf(request), issued).replaceAll(marker, '')}`;
  const drawn = (createHash('sha256').update(occasion).digest()[0] ?? 0) % 2 === 0;
  return drawn ? { ...request, headers: { ...request.headers, 'accept-encoding': 'gzip' } } : request;
}

/** Matches the marker of a scene. */
const marker = /gc[0-9a-f]{12}/g;

function bodyOf({ body }: WireRequest): string {
  if (Buffer.isBuffer(body)) return body.subarray(0, bodyPart).toString('latin1');
  return (typeof body === 'string' ? body : (JSON.stringify(body) ?? '')).slice(0, bodyPart);
}
