import { type Body, objectIn, objectsIn } from '../../../suites/rewrite/json.ts';
import { editChunks, type Mutation } from '../../../suites/rewrite/mutation.ts';
import {
  callsIn,
  callsOfTurn,
  deltaOf,
  inPlain,
  messageOf,
  messagesIn,
  refuses,
} from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';
import { eventsOf, nativeBlocks, toUpstream } from '../../edits/native-edits.ts';

/** Gateways that confuse calls and results when they translate them, or lose parts. */

const isFollowUp = (body: Body): boolean => messagesIn(body).some((message) => message.role === 'tool');

/** Swaps a member of two adjacent items. */
function swap(objects: readonly Body[], name: string): void {
  const [first, second] = objects.slice(-2);
  if (first === undefined || second === undefined) return;
  [first[name], second[name]] = [second[name], first[name]];
}

const swappedInMessages = toUpstream('messages', (body) =>
  swap(nativeBlocks(body, 'tool_result'), 'tool_use_id'),
);

export const rounds: readonly Mutant[] = [
  upstream(
    [
      'tool.messages-round-swapped',
      'the results of the last round change places in a messages request',
      'TOOL-016',
      'issued-ids-kept',
    ],
    swappedInMessages,
  ),
  front(
    [
      'tool.issued-ids-refused',
      'ids that an upstream of the messages dialect made are refused when they come back',
      'TOOL-016',
      'issued-ids-accepted',
    ],
    refuses(
      (body) => messagesIn(body).some((message) => String(message.tool_call_id).startsWith('toolu_')),
      'invalid_param',
      'messages',
    ),
  ),
  front(
    ['tool.one-round', 'there are no calls after the first round', 'TOOL-016', 'has-calls'],
    inPlain((answer, request) => {
      if (isFollowUp(request) && callsIn(answer).length > 0) {
        const message = messageOf(answer);
        delete message.tool_calls;
        message.content = 'Enough.';
        (answer.choices as Body[])[0] = { ...(answer.choices as Body[])[0], finish_reason: 'stop' };
      }
    }),
  ),
  front(
    [
      'tool.follow-up-canned',
      'tool results are answered without any upstream',
      'TOOL-016',
      'reaches-upstream',
    ],
    answersFollowUps(),
  ),
];

export const mixed: readonly Mutant[] = [
  front(
    ['tool.streams-with-tools-refused', 'tools and streams exclude each other', 'TOOL-018', 'tools-accepted'],
    refuses((body) => 'tools' in body && body.stream === true, 'invalid_param', 'tools'),
  ),
  front(['tool.streamed-text-lost', 'text before a streamed call is lost', 'TOOL-018', 'text-beside-calls'], {
    events: editChunks((chunk) => {
      if (deltaOf(chunk).content === 'I use three tools.') deltaOf(chunk).content = '';
      return [chunk];
    }),
  }),
  upstream(
    [
      'tool.generate-side-by-side-lost',
      'of two calls in one event the second is lost',
      'TOOL-018',
      'all-calls-in-order',
    ],
    eventsOf('generate-content', (part) => {
      for (const candidate of objectsIn(part.candidates)) {
        const content = candidate.content as Body | undefined;
        const parts = objectsIn(content?.parts);
        if (content && parts.filter((one) => 'functionCall' in one).length > 1)
          content.parts = parts.slice(0, 1);
      }
      return [part];
    }),
  ),
];
/** Whether a tool message has an id that no earlier call has. */
const isOrphaned = (body: Body): boolean => {
  const messages = messagesIn(body);
  return messages.some(
    (message, index) =>
      message.role === 'tool' &&
      !messages
        .slice(0, index)
        .flatMap(callsOfTurn)
        .some((call) => call.id === message.tool_call_id),
  );
};

export const orphans: readonly Mutant[] = [
  front(
    [
      'tool.orphan-not-found',
      'a tool result without its call gets task_not_found',
      'TOOL-015',
      'clean-either-way',
    ],
    refuses(isOrphaned, 'task_not_found'),
  ),
];

/** A completion with the two calls that the check expects. */
function answersFollowUps(): Mutation {
  let made = 0;
  const call = (): object => {
    made += 1;
    return {
      id: `call_canned_${made}`,
      type: 'function',
      function: { name: 'look_up', arguments: '{"word":"sea"}' },
    };
  };
  return {
    request: (request) => {
      const body = objectIn(request.body);
      if (body === null || !isFollowUp(body) || body.stream === true) return request;
      const message = { role: 'assistant', content: null, tool_calls: [call(), call()] };
      const answer = {
        id: `chatcmpl-canned-${made}`,
        object: 'chat.completion',
        created: Math.floor((performance.timeOrigin + performance.now()) / 1000),
        model: body.model,
        choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
        usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
      };
      return {
        status: 200,
        headers: [['content-type', 'application/json']],
        body: Buffer.from(JSON.stringify(answer)),
      };
    },
  };
}
