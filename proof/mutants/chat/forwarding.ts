import { forwardedFields } from '../../../suites/oracle/native/same-fields.ts';
import { objectIn } from '../../../suites/rewrite/json.ts';
import type { Mutation } from '../../../suites/rewrite/mutation.ts';
import { inPlain, inRequests, messageOf, messagesIn, refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source, upstream } from '../../edits/mutant.ts';
import { toUpstream } from '../../edits/native-edits.ts';

/** Gateways that do not pass on what the caller sent. */

export const chatForwardingMutants: readonly Mutant[] = [
  upstream(
    [
      'chat.body-reprinted',
      'a request is parsed and printed again, so that large integers change',
      'CHAT-050',
      'numbers-exact',
    ],
    inRequests(() => {}),
  ),
  front(
    [
      'chat.large-integers-refused',
      'a tool whose schema holds a large integer is refused',
      'CHAT-050',
      'numbers-accepted',
    ],
    refuses((body) => JSON.stringify(body.tools ?? '').includes('900719925474099'), 'invalid_param', 'tools'),
  ),
  ...forwardedFields
    .filter((name) => name !== 'top_p')
    .map((name) =>
      upstream(
        [
          `chat.drops-${name.replaceAll('_', '-')}`,
          `${name} is not passed on`,
          'CHAT-050',
          `forwards-${name.replaceAll('_', '-')}`,
        ],
        toUpstream('chat-completions', (body) => {
          if (body[name] !== 0) delete body[name];
          if (name === 'tools') delete body.tool_choice;
        }),
      ),
    ),
  front(
    ['chat.seed-refused', 'a large seed is refused', 'CHAT-050', 'values-accepted'],
    refuses((body) => Number(body.seed) > 20_000_000, 'invalid_param', 'seed'),
  ),
  upstream(
    ['chat.temperature-zero-dropped', 'a temperature of 0 counts as missing', 'CHAT-013', 'explicit-zero'],
    toUpstream('chat-completions', (body) => {
      if (!body.temperature) delete body.temperature;
    }),
  ),
  upstream(
    ['chat.temperature-default', 'an omitted temperature becomes 0.7', 'CHAT-013', 'default-is-one'],
    toUpstream('chat-completions', (body) => {
      body.temperature ??= 0.7;
    }),
  ),
  upstream(
    ['chat.top-p-default', 'an omitted top_p becomes 0.9', 'CHAT-016', 'default-is-one'],
    toUpstream('chat-completions', (body) => {
      body.top_p ??= 0.9;
    }),
  ),
  upstream(
    ['chat.top-p-dropped', 'top_p is not passed on', 'CHAT-016', 'explicit-value'],
    toUpstream('chat-completions', (body) => {
      delete body.top_p;
    }),
  ),
  source(
    [
      'chat.calls-without-arguments',
      'an earlier call without arguments reaches a messages upstream with a list',
      'CHAT-010',
      'transcript-accepted',
    ],
    'requests/native-body/messages/turns.ts',
    'const input = argumentsObject(called.arguments);',
    'const own = argumentsObject(called.arguments); const input = Object.keys(own).length === 0 ? [] : own;',
  ),
  source(
    [
      'chat.backslashes-miscounted',
      'a text that ends in backslashes is read on beyond its end where nesting is counted',
      'CHAT-010',
      'escapes-accepted',
    ],
    'http/json-bounds.ts',
    'at = this.#afterEscapes(escaped);',
    'at = this.#afterEscapes(escaped); if (this.#bytes[at - 1] === backslash && this.#bytes[at] === quote) at += 1;',
  ),
  upstream(
    ['chat.transcript-newest-first', 'turns are passed on newest first', 'CHAT-010', 'turn-order'],
    toUpstream('chat-completions', (body) => {
      body.messages = [{ role: 'system', content: 'Be helpful.' }, ...messagesIn(body)];
    }),
  ),
  upstream(
    ['chat.transcript-lower-case', 'the text of turns is changed on the way', 'CHAT-010', 'turn-content'],
    toUpstream('chat-completions', (body) => {
      for (const message of messagesIn(body))
        if (typeof message.content === 'string') message.content = message.content.toLowerCase();
    }),
  ),
  front(
    ['chat.answers-itself', 'a canned answer comes without any upstream', 'CHAT-010', 'reaches-upstream'],
    answersItself(),
  ),
  upstream(
    ['chat.seed-dropped', 'the seed is not passed on', 'CHAT-040', 'seed-forwarded'],
    toUpstream('chat-completions', (body) => {
      delete body.seed;
    }),
  ),
  front(
    ['chat.seed-ignored', 'equal seeds give different answers', 'CHAT-040', 'equal-output'],
    countsAnswers(),
  ),
  front(
    ['chat.seed-limited', 'seeds of 31 bits are refused', 'CHAT-040', 'seed-accepted'],
    refuses((body) => body.seed === 2147483647, 'invalid_param', 'seed'),
  ),
];

function answersItself(): Mutation {
  const completion = (model: unknown): object => ({
    id: `canned-${Math.floor(performance.now() * 1000)}`,
    object: 'chat.completion',
    created: Math.floor((performance.timeOrigin + performance.now()) / 1000),
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
  return {
    request: (request) => {
      const body = objectIn(request.body);
      if (body === null || body.stream === true) return request;
      return {
        status: 200,
        headers: [['content-type', 'application/json']],
        body: Buffer.from(JSON.stringify(completion(body.model))),
      };
    },
  };
}

function countsAnswers(): Mutation {
  let count = 0;
  return inPlain((answer) => {
    const message = messageOf(answer);
    count += 1;
    if (typeof message.content === 'string') message.content += ` (${count})`;
  });
}
