import type { FailureReason } from './outcome.ts';

/** The failure reason for an error status when the body says nothing more specific. */
export function statusReason(status: number): FailureReason {
  switch (status) {
    case 400:
    case 413:
    case 422:
      return 'bad_request';
    case 401:
    case 402:
    case 403:
      return 'credentials';
    case 408:
    case 504:
      return 'timeout';
    case 409:
    case 425:
      // A conflict with another request, or one that came too early: not the fault of the request itself (fault
      // H19).
      return 'server';
    case 429:
    case 503:
    case 529:
      return 'busy';
    default:
      return status >= 500 ? 'server' : 'unusable';
  }
}
