import { failure, type UpstreamFailure } from './outcome.ts';

// Shared by the two dialects whose streams consist of nameless events that hold JSON objects.

/** A frame, or an end of a stream, that is invalid. */
export function broken(what: string): UpstreamFailure {
  return failure('unusable', what);
}

/** Events of these dialects have no names; a named event belongs to another format and need not be JSON. */
export function isForeign(name: string): boolean {
  return name !== '' && name !== 'message' && name !== 'error';
}

/** Whether the index is 0: only one answer was requested. Some upstreams omit the index or send a string. */
export function isFirst(index: unknown): boolean {
  return index === undefined || index === null || index === 0 || index === '0';
}
