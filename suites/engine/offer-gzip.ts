import { createHash } from 'node:crypto';
import type { WireRequest } from '../wire/client.ts';
import { withoutIssued, withoutKey } from './requests.ts';

/** How much of a body bears on the draw, characters: enough to tell cases apart, also those that hold a whole film. */
const bodyPart = 4_096;

/**
 * Offers gzip on half of a check's calls, drawn by (seed, check, request): whether answers are compressed is for a
 * gateway to choose (reading B-09), so what it says has to be right in both forms, and neither form may stay untried
 * where a gateway does compress. Markers of scenes, keys in a query and ids that the deployment made (`issued`) do not
 * count, so that a replay offers what the first run did.
 * A request that names its own encodings keeps them.
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

/** The marker of a scene. */
const marker = /gc[0-9a-f]{12}/g;

function bodyOf({ body }: WireRequest): string {
  if (Buffer.isBuffer(body)) return body.subarray(0, bodyPart).toString('latin1');
  return (typeof body === 'string' ? body : (JSON.stringify(body) ?? '')).slice(0, bodyPart);
}
