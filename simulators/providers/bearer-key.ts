import type { NativeRequest } from './dialect.ts';

/** Whether some bearer key came with the request; any will do. */
export function hasBearerKey({ headers }: Pick<NativeRequest, 'headers'>): boolean {
  return /^bearer +\S/i.test(headers.get('authorization') ?? '');
}
