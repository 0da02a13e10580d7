import type { WireRequest } from '../wire/client.ts';

/** The generating endpoints; streamed calls count apart (specification, "Endpoints"). */
export const wayNames = [
  'core',
  'core, stream',
  'compat-a',
  'compat-a, stream',
  'compat-b',
  'compat-b, stream',
  'images',
  'tasks',
] as const;
export type WayName = (typeof wayNames)[number];

/** The generating endpoint that a request calls; null for reads and other paths. */
export function wayOf({ method, path, body }: Pick<WireRequest, 'method' | 'path' | 'body'>): WayName | null {
  if (method !== 'POST') return null;
  const [place = ''] = path.split('?');
  if (place === '/api/v1/images/generations') return 'images';
  if (place === '/api/v1/tasks') return 'tasks';
  if (place === '/api/v1/chat/completions') return asksForStream(body) ? 'core, stream' : 'core';
  if (place === '/compat-a/v1/messages') return asksForStream(body) ? 'compat-a, stream' : 'compat-a';
  if (!place.startsWith('/compat-b/v1beta/models/')) return null;
  if (place.endsWith(':generateContent')) return 'compat-b';
  return place.endsWith(':streamGenerateContent') ? 'compat-b, stream' : null;
}

function asksForStream(body: WireRequest['body']): boolean {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return /"stream"\s*:\s*true/.test(String(body));
  return (body as Readonly<Record<string, unknown>> | undefined)?.stream === true;
}
