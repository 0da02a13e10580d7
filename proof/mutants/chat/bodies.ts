import { objectIn } from '../../../suites/rewrite/json.ts';
import { editChunks, type Mutation } from '../../../suites/rewrite/mutation.ts';
import { refusal } from '../../../suites/rewrite/refusal-edits.ts';
import {
  callsIn,
  fenceJson,
  inPlain,
  messageOf,
  messagesIn,
  refuses,
  textIn,
} from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

/** Gateways that fail on odd bodies, or whose answers a client library cannot read. */

export const bodies: readonly Mutant[] = [
  front(
    [
      'chat.malformed-internal',
      'a body that is no JSON is an internal error',
      'CHAT-052',
      'malformed-refused',
    ],
    {
      request: (request) =>
        request.method === 'POST' && objectIn(request.body) === null ? refusal('internal_error') : request,
    },
  ),
  front(['chat.nul-breaks', 'NUL in a text is an internal error', 'CHAT-053', 'never-5xx'], {
    request: (request) => (request.body.includes('\\u0000') ? refusal('internal_error') : request),
  }),
  front(['chat.deep-is-filtered', 'deep nesting is called a matter of policy', 'CHAT-053', 'clean-refusal'], {
    request: (request) => (request.body.includes('[[[[[[[[') ? refusal('content_filter') : request),
  }),
  front(
    ['chat.hostile-body-stays', 'after a hostile body the next request fails', 'CHAT-053', 'still-serving'],
    failsAfter('\\ufeff'),
  ),
];

export const library: readonly Mutant[] = [
  front(
    ['chat.content-as-blocks', 'content comes as an array of blocks', 'CHAT-051', 'library-plain'],
    inPlain((answer) => {
      messageOf(answer).content = [{ type: 'text', text: messageOf(answer).content }];
    }),
  ),
  front(
    ['chat.json-prose', 'a JSON document comes with prose around it', 'CHAT-051', 'library-json'],
    inPlain(fenceJson),
  ),
  front(
    ['chat.arguments-as-object', 'the arguments of a call come as an object', 'CHAT-051', 'library-tools'],
    inPlain((answer) => {
      for (const call of callsIn(answer))
        call.function.arguments = JSON.parse(call.function.arguments) as string;
    }),
  ),
  front(
    [
      'chat.helper-members-refused',
      'what the helpers of the library add to an answer is refused when it comes back',
      'CHAT-051',
      'library-follow-up',
    ],
    refuses((body) => messagesIn(body).some((message) => 'parsed' in message), 'invalid_param', 'messages'),
  ),
  front(
    ['chat.stream-of-candidates', 'the chunks of a stream have no choices', 'CHAT-051', 'library-stream'],
    { events: editChunks(({ choices, ...chunk }) => [{ ...chunk, candidates: choices }]) },
  ),
  front(
    [
      'chat.missing-model-is-bad-request',
      'an unknown model is answered with 400',
      'CHAT-051',
      'library-refusal',
    ],
    { answer: (answer) => (answer.status === 404 ? { ...answer, status: 400 } : answer) },
  ),
];

/** Every request after one with this text fails. */
function failsAfter(text: string): Mutation {
  let broken = false;
  return {
    request: (request) => {
      const failing =
        broken && objectIn(request.body) !== null && !textIn(objectIn(request.body) ?? {}).includes(text);
      if (request.body.includes(text)) broken = true;
      return failing ? refusal('channel_outage') : request;
    },
  };
}
