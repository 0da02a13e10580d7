import type { NativeRequest } from './dialect.ts';

/** The key of a request as bearer token or in the header `api-key`; null when there is none. Any key is accepted. */
export function apiKeyOf({ headers }: Pick<NativeRequest, 'headers'>): string | null {
  return bearerKeyOf({ headers }) ?? (headers.get('api-key') || null);
}

/** The bearer key of a request; null when there is none. */
export function bearerKeyOf({ headers }: Pick<NativeRequest, 'headers'>): string | null {
  return /^bearer +(\S.*)$/i.exec(headers.get('authorization') ?? '')?.[1]?.trimEnd() ?? null;
}

/** Whether the request has a bearer key. */
export function hasBearerKey(request: Pick<NativeRequest, 'headers'>): boolean {
  return bearerKeyOf(request) !== null;
}
