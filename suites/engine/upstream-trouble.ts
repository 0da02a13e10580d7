import type { Reply } from 'gatecheck-simulators/client';
import type { ErrorCode } from '../oracle/error-table.ts';
import type { WireRequest } from '../wire/client.ts';
import { type Exchange, errorCodeOf, mediaType } from '../wire/exchange.ts';

/** A model with the key that called it; a failing upstream may have left it degraded. */
export interface TouchedModel {
  readonly key: string;
  readonly model: string;
}

/** Error codes by which a deployment reports failing upstreams. */
const upstreamCodes: readonly ErrorCode[] = [
  'upstream_error',
  'upstream_timeout',
  'channel_outage',
  'channel_queue_full',
];

/** Larger bodies are not searched, bytes. */
const readableBytes = 200_000;

/** Whether the answer reports a failed upstream: by its code, by an error event, or by a truncated stream. */
export function showsUpstreamTrouble(exchange: Exchange): boolean {
  const { response } = exchange;
  if (response === null) return false;
  if (mediaType(exchange) === 'text/event-stream')
    return !response.complete || response.body.includes('"error":');
  if (response.status !== 429 && response.status < 500) return false;
  const code = errorCodeOf(exchange);
  return upstreamCodes.some((known) => known === code);
}

/** The model in a request, with its key; null when there is none. */
export function modelAsked({ path, headers = {}, body }: WireRequest): TouchedModel | null {
  const [, inPath] = /^\/compat-b\/[^/]+\/models\/([^/:%?]+)/.exec(path) ?? [];
  const model = inPath ?? (objectOf(body) as { model?: unknown } | null)?.model;
  const key = keyOf(path, headers);
  return typeof model === 'string' && model !== '' && key !== null ? { key, model } : null;
}

/** The credential of a request, from the header or the query. */
function keyOf(path: string, headers: Readonly<Record<string, string>>): string | null {
  const named = (wanted: string): string | undefined =>
    Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
  const bearer = named('authorization');
  if (bearer?.startsWith('Bearer ')) return bearer.slice('Bearer '.length);
  const [, query = ''] = /\?([^#]*)/.exec(path) ?? [];
  return named('x-api-key') ?? new URLSearchParams(query).get('key');
}

/** Whether a deployment may count a scripted reply as a channel failure. */
export function isTroublesome({ status = 200, hang, cut, ...rest }: Reply): boolean {
  return status >= 300 || hang !== undefined || cut !== undefined || 'fault' in rest;
}

function objectOf(body: unknown): unknown {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return body;
  if (body.length > readableBytes) return null;
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
