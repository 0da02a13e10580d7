import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { source, upstream } from '../../edits/mutant.ts';
import { endOfCandidate, fromUpstream } from '../../edits/native-edits.ts';

const errors: readonly Mutant[] = [
  source(
    [
      'err.hunted.null-error',
      'an error in a list that begins with null is an error of the gateway',
      'ERR-029',
      'odd-shape',
    ],
    'upstreams/generate-content/classify.ts',
    'if (!isObject(holder) || !isObject(holder.error)) return null;',
    "if (typeof holder !== 'object' || !isObject((holder as JsonObject).error)) return null;",
  ),
  source(
    [
      'err.hunted.key-reason-unread',
      'a refused key of the gateway is known by the text alone, not by the reason beside it',
      'ERR-010',
      'not-the-callers-natively',
    ],
    'upstreams/generate-content/classify.ts',
    "some(({ reason }) => typeof reason === 'string' && reason.startsWith('API_KEY_'))",
    'some(() => undefined)',
  ),
  source(
    [
      'err.hunted.inner-code-unread',
      'a policy block is not seen where only an inner error names it',
      'ERR-027',
      'provoked-within',
    ],
    'upstreams/chat-completions/classify.ts',
    'const named = [error.code, error.type, inner].flatMap',
    'const named = [error.code, error.type].flatMap',
  ),
];

/** Gateways that report upstream failures wrongly, or take them for something else. */
export const errUpstreamMutants: readonly Mutant[] = [
  upstream(
    [
      'err.generate-block-unknown',
      'a prompt that a generate-content upstream blocked is a broken answer',
      'ERR-027',
      'provoked',
    ],
    fromUpstream('generate-content', (part) => {
      delete part.promptFeedback;
    }),
  ),
  upstream(
    [
      'err.generate-nothing-as-empty',
      'a generate-content answer without candidates counts as an empty one',
      'ERR-029',
      'provoked',
    ],
    fromUpstream('generate-content', (part) => {
      if (objectsIn(part.candidates).length === 0) part.candidates = endOfCandidate.candidates;
    }),
  ),
  upstream(
    [
      'err.messages-too-long-unknown',
      'only one wording of a prompt that is too long is known',
      'ERR-025',
      'provoked',
    ],
    fromUpstream('messages', (part) => {
      const error = part.error as Body | undefined;
      if (error) error.message = String(error.message).replace('prompt is too long', 'that is too much');
    }),
  ),
  ...errors,
];
