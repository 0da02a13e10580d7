import type { NativeRequest } from './dialect.ts';

/** Whether some bearer key came with the request; any will do. */
export function hasBearerKey(request: Pick<NativeRequest, 'headers'>): boolean {
  return bearerKeyOf(request) !== null;
}

/** The bearer key of a request; null when none came with it. */
export function bearerKeyOf({ headers }: Pick<NativeRequest, 'headers'>): string | null {
  return /^bearer +(\S.*)$/i.exec(headers.get('authorization') ?? '')?.[1]?.trimEnd() ?? null;
}
