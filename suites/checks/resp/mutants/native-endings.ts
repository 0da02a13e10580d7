import { type Body, front, objectsIn, upstream } from '../../../mutation/defects.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { eventsOf, fromUpstream } from '../../../mutation/native-edits.ts';
import { errors } from '../../../mutation/refusal-defects.ts';

/** Gateways that misunderstand how an answer of the messages or the generate-content dialect ends. */

const endOfMessage: readonly Body[] = [
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 9 },
  },
  { type: 'message_stop' },
];

const endOfCandidate: Body = {
  candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 },
};

export const nativeEndingMutants: readonly Mutant[] = [
  upstream(
    [
      'resp.messages-refusal-as-stop',
      'a messages answer that ends in refusal counts as ended well',
      'RESP-013',
      'filtered-output',
    ],
    fromUpstream('messages', (part) => {
      if (part.stop_reason === 'refusal') part.stop_reason = 'end_turn';
      const delta = part.delta as Body | undefined;
      if (delta?.stop_reason === 'refusal') delta.stop_reason = 'end_turn';
    }),
  ),
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
    errors((error, _answer, { body }) => {
      if (error.code === 'upstream_error' && body.includes('"stream":true'))
        error.message = `The upstream said: kernel panic on node sim-77`;
    }),
  ),
];
