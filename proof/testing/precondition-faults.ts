import { objectIn } from '../../suites/rewrite/json.ts';
import { editAnswer, type Mutation, type ProxyRequest } from '../../suites/rewrite/mutation.ts';
import {
  codeOf,
  hasNoKey,
  inErrors,
  miscalls,
  pathOf,
  refusal,
  says,
} from '../../suites/rewrite/refusal-edits.ts';

/** A gateway with one fault that many checks meet before they come to their own rule. */
export interface PreconditionFault {
  readonly id: string;
  readonly mutation: Mutation;
  /** The broken rules; no other rule may be blamed. */
  readonly rules: readonly string[];
}

const isChat = ({ path }: ProxyRequest): boolean => path.endsWith('/chat/completions');
const isList = (request: ProxyRequest): boolean => pathOf(request) === '/api/v1/models';
const isKeyless = (request: ProxyRequest): boolean =>
  hasNoKey(request) && request.path.startsWith('/api/v1/');
const asksForStream = ({ body }: ProxyRequest): boolean => objectIn(body)?.stream === true;
const lacks = ({ body }: ProxyRequest, member: string): boolean => {
  const sent = objectIn(body);
  return sent !== null && !Object.hasOwn(sent, member);
};
const text = (body: string, type: string) => ({
  body: Buffer.from(body),
  headers: [['content-type', type]] as const,
});

/** One per fault. */
export const preconditionFaults: readonly PreconditionFault[] = [
  {
    id: 'missing-key-is-unknown-model',
    mutation: says(isKeyless, refusal('model_not_found')),
    rules: ['AUTH-003', 'ERR-014'],
  },
  { id: 'every-refusal-is-404', mutation: inErrors(() => 404), rules: ['ERR-008'] },
  {
    id: 'no-list-of-models',
    mutation: says(isList, refusal('model_not_found')),
    rules: ['EP-001', 'EP-010'],
  },
  { id: 'list-is-down', mutation: says(isList, refusal('internal_error')), rules: ['EP-010'] },
  {
    id: 'unknown-model-is-invalid',
    mutation: miscalls('model_not_found', 'invalid_param'),
    rules: ['ERR-023'],
  },
  {
    id: 'unknown-model-is-a-code-of-its-own',
    mutation: inErrors((error) => {
      if (error.code === 'model_not_found') error.code = 'no_such_model';
    }),
    rules: ['ERR-023'],
  },
  {
    id: 'invalid-is-a-lack',
    mutation: miscalls('invalid_param', 'unsupported_capability'),
    rules: ['ERR-024'],
  },
  {
    id: 'invalid-names-no-field',
    mutation: inErrors((error) => {
      error.param = null;
    }),
    rules: ['CHAT-049'],
  },
  {
    id: 'too-long-is-invalid',
    mutation: miscalls('context_too_long', 'invalid_param'),
    rules: ['ERR-025'],
  },
  {
    id: 'lack-is-invalid',
    mutation: miscalls('unsupported_capability', 'invalid_param'),
    rules: ['ERR-026'],
  },
  {
    id: 'chat-is-down',
    mutation: {
      answer: (answer, request) =>
        isChat(request) && answer.status === 200 ? refusal('channel_outage') : answer,
    },
    rules: ['CHAT-001'],
  },
  {
    id: 'refusals-are-pages',
    mutation: {
      answer: (answer) =>
        codeOf(answer) === null ? answer : { ...answer, ...text('<h1>No</h1>', 'text/html') },
    },
    rules: ['ERR-002'],
  },
  {
    id: 'refusals-are-text',
    mutation: {
      answer: (answer) =>
        codeOf(answer) === null ? answer : { ...answer, headers: [['content-type', 'text/plain']] },
    },
    rules: ['ERR-002'],
  },
  {
    id: 'type-of-its-own',
    mutation: inErrors((error) => {
      error.type = 'client_error';
    }),
    rules: ['ERR-003'],
  },
  {
    id: 'no-message',
    mutation: inErrors((error) => {
      error.message = '';
    }),
    rules: ['ERR-005'],
  },
  {
    id: 'native-model-name',
    mutation: {
      answer: editAnswer((answer) => {
        if (answer.object === 'chat.completion') answer.model = `native-${String(answer.model)}`;
      }),
    },
    rules: ['RESP-004'],
  },
  {
    id: 'no-usage',
    mutation: {
      answer: editAnswer((answer) => {
        if (answer.object === 'chat.completion') delete answer.usage;
      }),
    },
    rules: ['RESP-014'],
  },
  {
    id: 'unknown-key-is-disabled',
    mutation: inErrors((error, _, request) => {
      if (error.code === 'invalid_api_key' && !hasNoKey(request)) error.code = 'sk_disabled';
    }),
    rules: ['AUTH-002', 'AUTH-005'],
  },
  {
    id: 'answers-are-text',
    mutation: {
      answer: (answer, request) =>
        isChat(request) && answer.status === 200
          ? { ...answer, headers: [['content-type', 'text/plain']] }
          : answer,
    },
    rules: ['EP-003', 'RESP-023'],
  },
  {
    id: 'streams-are-down',
    mutation: says((request) => isChat(request) && asksForStream(request), refusal('channel_outage')),
    rules: ['SSE-001'],
  },
  {
    id: 'max-tokens-is-needed',
    mutation: says(
      (request) => isChat(request) && lacks(request, 'max_tokens'),
      refusal('invalid_param', 'max_tokens'),
    ),
    rules: ['CHAT-001', 'CHAT-002', 'SSE-001'],
  },
  {
    id: 'unknown-path-is-a-page',
    mutation: {
      answer: (answer, request) =>
        answer.status === 404 && !isChat(request)
          ? { ...answer, ...text('<h1>Not found</h1>', 'text/html') }
          : answer,
    },
    rules: ['ERR-002'],
  },
  {
    id: 'invalid-key-is-forbidden',
    mutation: inErrors((error) => (error.code === 'invalid_api_key' ? 403 : undefined)),
    rules: ['ERR-008'],
  },
];
