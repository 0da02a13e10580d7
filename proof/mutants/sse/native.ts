import type { Body } from '../../../suites/rewrite/json.ts';
import { inErrors } from '../../../suites/rewrite/refusal-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';
import { endOfMessage, eventsOf } from '../../edits/native-edits.ts';

const endings: readonly Mutant[] = [
  upstream(
    [
      'sse.messages-error-as-end',
      'an error event in a messages stream counts as its end',
      'SSE-016',
      'no-false-ending',
    ],
    eventsOf('messages', (part) => (part.type === 'error' ? endOfMessage : [part])),
  ),
  front(
    [
      'sse.early-error-raw',
      'the refusal of a stream that fails at once repeats the words of the upstream',
      'ERR-009',
      'no-upstream-text',
    ],
    inErrors((error, _answer, { body }) => {
      if (error.code === 'upstream_error' && body.includes('"stream":true'))
        error.message = `The upstream said: kernel panic on node sim-77`;
    }),
  ),
];
const counts: readonly Mutant[] = [
  upstream(
    [
      'sse.messages-first-count',
      'the output of a messages stream is what it said at its start',
      'SSE-011',
      'verbatim',
    ],
    eventsOf('messages', (part) => {
      if (part.type === 'message_delta') ((part.usage as Body | undefined) ?? {}).output_tokens = 1;
      return [part];
    }),
  ),
];

/** Gateways that misread streams of the messages and generate-content dialects. */
export const sseNativeMutants: readonly Mutant[] = [
  upstream(
    [
      'sse.messages-later-events-fail',
      'an unknown event makes a messages stream unreadable',
      'SSE-007',
      'accepts-native-form',
    ],
    eventsOf('messages', (event) =>
      String(event.type).endsWith('_of_later') ? [{ type: 'content_block_start', index: 0 }] : [event],
    ),
  ),
  ...endings,
  ...counts,
];
