import type { FailureReason } from './outcome.ts';
import { isOfAccount, namedCause } from './refusal-words.ts';

/**
 * The failure reason for an error status if the body says nothing more specific (B-109).
 * @param words the text of the body, which shows who is at fault for a 403
 */
export function statusReason(status: number, words = ''): FailureReason {
  switch (status) {
    case 400:
    case 413:
    case 414:
    case 422:
    case 431:
      return 'bad_request';
    case 401:
    case 402:
    case 404:
    case 410:
      return 'credentials';
    case 403:
      return forbiddenReason(words);
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
      if (status >= 500) return 'server';
      return status >= 400 ? 'refused' : 'unusable';
  }
}

/** Patterns that show that a 403 concerns the gateway's account, and patterns that show a policy. Texts are only matched. */
const accountText =
  /\b(?:api[ _-]?key|key|credentials?|account|organi[sz]ation|project|billing|permissions?|caller)\b/i;
const policyText = /polic|safety|moderation|flagged|prohibited|content.?filter/i;

/** Attributes a 403 to the gateway's account if the answer names it. Otherwise to the request, which policy may block. */
function forbiddenReason(words: string): FailureReason {
  const cause = namedCause(words);
  // A provider may put a blocked request as a missing permission of the caller.
  if (cause === 'policy' || isOfAccount(cause)) return cause;
  if (accountText.test(words)) return 'credentials';
  return policyText.test(words) ? 'policy' : 'refused';
}
