import { chatModel } from '../../../suites/oracle/chat-catalogue.ts';
import { type Body, objectIn } from '../../../suites/rewrite/json.ts';
import type { ProxyAnswer } from '../../../suites/rewrite/mutation.ts';
import { inRequests, messageOf, refuses, textIn } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';

/** Gateways whose answers are not repeatable, incomplete, or against the schema. */

/** A counter that makes repeated answers differ. */
let said = 0;
function another(): string {
  said += 1;
  return ` (${said})`;
}

export const repeating: readonly Mutant[] = [
  front(['chat.zero-varies', 'answers vary at temperature 0 too', 'CHAT-014', 'equal-at-zero'], {
    answer: (answer, request) =>
      asksForZero(request.body)
        ? edited(answer, (body) => {
            const message = messageOf(body);
            if (typeof message.content === 'string') message.content += another();
          })
        : answer,
  }),
  front(
    ['chat.zero-refused', 'a temperature of 0 is refused', 'CHAT-014', 'zero-accepted'],
    refuses((body) => body.temperature === 0, 'invalid_param', 'temperature'),
  ),
];

function asksForZero(body: Buffer): boolean {
  return objectIn(body)?.temperature === 0;
}

function edited(answer: ProxyAnswer, edit: (body: Body) => void): ProxyAnswer {
  const body = objectIn(answer.body);
  if (body === null || answer.status !== 200) return answer;
  edit(body);
  return { ...answer, body: Buffer.from(JSON.stringify(body)) };
}

export const whole: readonly Mutant[] = [
  upstream(
    [
      'chat.max-tokens-default-beta',
      'an omitted max_tokens becomes 4096 where the upstream demands one',
      'CHAT-022',
      'omission-never-cuts',
    ],
    inRequests((body) => {
      if (String(body.model).startsWith('b')) body.max_tokens = 4_096;
    }),
  ),
  front(
    [
      'chat.room-for-longest-answer',
      'a prompt has to leave room for half a window of answer',
      'CHAT-022',
      'omission-never-too-long',
    ],
    refuses(
      (body) => {
        const window = (chatModel(String(body.model))?.contextK ?? 0) * 1_000;
        return (body.max_tokens ?? null) === null && textIn(body).length > window * 2;
      },
      'context_too_long',
      'messages',
    ),
  ),
];

export const schemas: readonly Mutant[] = [
  front(
    [
      'chat.schema-unknown-model',
      'json_schema on a model that cannot is an unknown model',
      'CHAT-033',
      'clean-either-way',
    ],
    refuses((body) => asksForSchema(body) && isBeta(body), 'model_not_found', 'model'),
  ),
  front(
    ['chat.schema-refused', 'json_schema is refused everywhere', 'CHAT-050', 'schema-accepted'],
    refuses(asksForSchema, 'invalid_param', 'response_format'),
  ),
  upstream(
    ['chat.schema-forgotten', 'a schema is taken for json_object', 'CHAT-050', 'forwards-schema'],
    inRequests((body) => {
      if (asksForSchema(body)) body.response_format = { type: 'json_object' };
    }),
  ),
];

function asksForSchema({ response_format: format }: Body): boolean {
  return format !== null && typeof format === 'object' && (format as Body).type === 'json_schema';
}

function isBeta(body: Body): boolean {
  return chatModel(String(body.model))?.family === 'beta';
}
