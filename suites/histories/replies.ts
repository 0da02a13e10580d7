import type { Reply } from 'gatecheck-simulators/client';
import { blockedSubmit } from '../generators/blocked-submit.ts';
import { native } from '../generators/native-answer.ts';
import type { Behaviour } from '../oracle/world/behaviours.ts';
import type { Dialect } from '../profile/dialects.ts';
import { serverFault } from '../steps/failures/routed-call.ts';

/** Counts that cost next to nothing, so that only a hold can exhaust a scarce account. */
const few = { prompt_tokens: 3, completion_tokens: 2 };

/** The pause that an upstream asks for: shorter than the longest that one answer may cause (reading B-110), ms. */
export const askedMs = 45_000;

/** The reply of a chat upstream of this dialect, or of a media upstream (null). Only this reply contains `word`. */
export function replyOf(
  behaviour: Behaviour,
  { dialect, stream }: { readonly dialect: Dialect | null; readonly stream: boolean },
  word: string,
): Reply {
  const good: Reply =
    dialect === null ? {} : { text: `${word} is well.`, deltas: [word, ' is ', 'well.'], usage: few };
  switch (behaviour) {
    case 'good':
      return good;
    case 'server':
      return serverFault;
    case 'busy':
      // Without Retry-After, so that there is no pause to keep.
      return { status: 503, body: { error: { message: 'Too much to do.' } } };
    case 'asks':
      return {
        status: 429,
        headers: { 'retry-after': String(askedMs / 1_000) },
        body: { error: { message: 'Not so fast.' } },
      };
    case 'reset':
      return { cut: { after: 'head', by: 'rst' } };
    case 'garbage':
      return { status: 200, body: '<h1>It works!</h1>' };
    case 'policy':
      return dialect === null ? blockedSubmit : native(dialect).blocked(stream);
    case 'too-long':
      return dialect === null ? blockedSubmit : native(dialect).tooLong;
    case 'odd-status':
      return { status: 418, body: { error: { message: 'Short and stout.' } } };
    case 'breaks':
      return { ...good, cut: { after: 2, by: 'rst' } };
    case 'leaves':
    case 'deserts':
    // Of the second attempt; the first one fails.
    case 'left-again':
      return { ...good, gates: ['head'] };
  }
}
