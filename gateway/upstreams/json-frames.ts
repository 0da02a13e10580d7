import { failure, type UpstreamFailure } from './outcome.ts';

// What the two dialects share whose streams are nothing but JSON objects in events without names.

/** A frame, or an end, that makes no sense. */
export function broken(what: string): UpstreamFailure {
  return failure('unusable', what);
}

/** Events of these dialects have no names; those of others need not be JSON. */
export function isForeign(name: string): boolean {
  return name !== '' && name !== 'message' && name !== 'error';
}

/** Only one answer was asked for; some leave its index out, or write it as a text. */
export function isFirst(index: unknown): boolean {
  return index === undefined || index === null || index === 0 || index === '0';
}
