import { failure, type UpstreamFailure } from './outcome.ts';
import { namedCause } from './refusal-words.ts';

/** An answer, or the end of one, that is not valid in its dialect. */
export function broken(what: string): UpstreamFailure {
  return failure('unusable', what);
}

/** Events of two dialects have no names; a named event belongs to another format and need not be JSON. */
export function isForeign(name: string): boolean {
  return name !== '' && name !== 'message' && name !== 'error';
}

/** Whether the index is 0: only one answer was requested. Some upstreams omit the index or send a string. */
export function isFirst(index: unknown): boolean {
  return index === undefined || index === null || index === 0 || index === '0';
}

/** The failure that a stream reports in words alone: of the upstream, if they name no other cause. */
export function failureInWords(message: string): UpstreamFailure {
  return failure(namedCause(message) ?? 'server', 'reported an error in words');
}
