import type { NativeRequest } from './dialect.ts';

/** Whether the request has a bearer key; any key is accepted. */
export function hasBearerKey(request: Pick<NativeRequest, 'headers'>): boolean {
  return bearerKeyOf(request) !== null;
}

/** The bearer key of a request; null when there is none. */
export function bearerKeyOf({ headers }: Pick<NativeRequest, 'headers'>): string | null {
  return /^bearer +(\S.*)$/i.exec(headers.get('authorization') ?? '')?.[1]?.trimEnd() ?? null;
}
