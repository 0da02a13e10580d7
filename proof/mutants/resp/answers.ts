import type { Body } from '../../../suites/rewrite/json.ts';
import { callsIn, choiceOf, failingUpstream, inPlain, messageOf } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';
import { respIdentityMutants, respShapeMutants } from './shape.ts';
import { respUsageMutants } from './usage.ts';

const finishMutants: readonly Mutant[] = [
  finish(
    'resp.finish-natural',
    'a natural end counts as length',
    'RESP-010',
    'natural-end',
    (reason, body) => (body.stop === undefined && reason === 'stop' ? 'length' : reason),
  ),
  finish(
    'resp.finish-halted',
    'a stop sequence counts as length',
    'RESP-010',
    'stop-sequence',
    (reason, body) => (body.stop === undefined ? reason : 'length'),
  ),
  finish(
    'resp.finish-cut',
    'a cut by max_tokens counts as stop',
    'RESP-011',
    'cut-by-max-tokens',
    (reason) => (reason === 'length' ? 'stop' : reason),
  ),
  finish(
    'resp.finish-calls',
    'an end in calls counts as stop',
    'RESP-012',
    'finish-is-tool-calls',
    (reason) => (reason === 'tool_calls' ? 'stop' : reason),
  ),
  front(
    [
      'resp.finish-text-first',
      'an answer with text before its calls ends with stop',
      'RESP-012',
      'finish-after-text',
    ],
    inPlain((answer) => {
      const hasText = Boolean(messageOf(answer).content);
      if (hasText && callsIn(answer).length > 0) choiceOf(answer).finish_reason = 'stop';
    }),
  ),
  finish(
    'resp.finish-cut-calls',
    'a cut answer with calls ends well',
    'RESP-011',
    'cut-with-calls',
    anyCalls,
  ),
  finish(
    'resp.finish-filtered-calls',
    'a filtered answer with calls ends well',
    'RESP-013',
    'filtered-calls',
    anyCalls,
  ),
  upstream(
    [
      'resp.full-window-is-an-end',
      'an answer that filled the window of its model counts as one that ended by itself',
      'RESP-009',
      'no-room-is-length',
    ],
    {
      answer: (answer) => ({
        ...answer,
        body: Buffer.from(answer.body.toString().replace('model_context_window_exceeded', 'end_turn')),
      }),
    },
  ),
  upstream(
    [
      'resp.odd-reason-fails',
      'an answer that ends for a reason the gateway does not know is thrown away',
      'RESP-009',
      'accepts-native-reason',
    ],
    failingUpstream(
      (body) =>
        Array.isArray(body.choices) &&
        !['stop', 'length', 'tool_calls', 'content_filter'].includes(String(choiceOf(body).finish_reason)),
    ),
  ),
];

export const respAnswerMutants: readonly Mutant[] = [
  ...respShapeMutants,
  ...respIdentityMutants,
  ...finishMutants,
  ...respUsageMutants,
];

function finish(
  id: string,
  title: string,
  requirement: string,
  aspect: string,
  change: (reason: unknown, request: Body, answer: Body) => unknown,
): Mutant {
  const mutation = inPlain((body, request) => {
    choiceOf(body).finish_reason = change(choiceOf(body).finish_reason, request, body);
  });
  return front([id, title, requirement, aspect], mutation);
}

/** Sets finish_reason tool_calls on any answer with calls. */
function anyCalls(reason: unknown, _: Body, answer: Body): unknown {
  return callsIn(answer).length > 0 ? 'tool_calls' : reason;
}
