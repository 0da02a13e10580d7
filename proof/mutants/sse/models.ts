import { refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

const oneModel: readonly Mutant[] = [
  source(
    ['sse.failure-done-twice', '[DONE] comes twice after an error event', 'SSE-008', 'ends-once'],
    'endpoints/serve.ts',
    'endEvents(exchange, failureEvents(body, protocol));',
    "endEvents(exchange, failureEvents(body, protocol) + 'data: [DONE]\\n\\n');",
  ),
];

/** Gateways whose streams depend on the model or on the transport. */
export const streamModelMutants: readonly Mutant[] = [
  front(
    [
      'sse.one-model-without-streams',
      'one model of the catalogue cannot stream',
      'SSE-017',
      'streams-on-every-model',
    ],
    refuses(
      (body) => body.stream === true && body.model === 'gamma-3-flash',
      'unsupported_capability',
      'stream',
    ),
  ),
  ...oneModel,
];
