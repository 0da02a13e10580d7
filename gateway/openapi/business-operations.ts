import type { ErrorCode } from '../errors/codes.ts';
import { chatSchema } from '../requests/chat-schema.ts';
import { bodySchema } from '../requests/compat/generate-content/body-schema.ts';
import { messagesSchema } from '../requests/compat/messages/schema.ts';
import {
  balanceSchema,
  chatCompletion,
  chatCompletionChunk,
  generatedContent,
  message,
  messageEvent,
  modelList,
  openApi,
} from './answer-schemas.ts';
import { mediaOperations } from './media-operations.ts';
import type { NamedSchema, Operation, Parameter } from './operation.ts';

const anywhere: readonly ErrorCode[] = [
  ...(['invalid_api_key', 'sk_disabled', 'sk_expired', 'ip_not_allowed'] as const),
  ...(['method_not_allowed', 'headers_too_large', 'internal_error'] as const),
];
const chat: readonly ErrorCode[] = [
  ...(['invalid_param', 'context_too_long', 'unsupported_capability', 'content_filter'] as const),
  ...anywhere,
  ...(['model_not_found', 'request_timeout', 'payload_too_large'] as const),
  ...(['concurrency_exceeded', 'quota_exceeded', 'channel_queue_full'] as const),
  ...(['upstream_error', 'channel_outage', 'upstream_timeout'] as const),
];

const text = { type: 'string' } as const;
const version: Parameter = {
  name: 'compat-a-version',
  in: 'header',
  required: false,
  schema: { ...text, pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  description: 'Any date; what the official clients send in its place will do.',
};
const model: Parameter = { name: 'model', in: 'path', required: true, schema: text };
const alt: Parameter = { name: 'alt', in: 'query', required: true, schema: { ...text, const: 'sse' } };
const generated: NamedSchema = { name: 'GeneratedContent', schema: generatedContent };

const onCore = { tag: 'core', security: ['bearer'], errorShape: 'Error' } as const;
const onB = {
  tag: 'compat-b',
  method: 'post',
  security: ['queryKey', 'googleHeader'],
  body: [{ name: 'GenerateContentRequest', schema: bodySchema }],
  errors: chat,
  errorShape: 'GenerateContentError',
} as const;
const closed = { parameters: [], body: null } as const;

/** The operations for customers. */
export const businessOperations: readonly Operation[] = [
  {
    ...onCore,
    method: 'post',
    path: '/api/v1/chat/completions',
    id: 'createChatCompletion',
    summary: 'Answers a chat, as one body or as a stream.',
    parameters: [],
    body: [
      { name: 'ChatRequest', schema: chatSchema({ cache: false }) },
      // Models that honour cache hints check them strictly, and accept them in system messages, too.
      { name: 'CachingChatRequest', schema: chatSchema({ cache: true }) },
    ],
    answer: {
      status: 200,
      description: 'The answer.',
      json: { name: 'ChatCompletion', schema: chatCompletion },
      events: {
        name: 'ChatCompletionChunk',
        schema: chatCompletionChunk,
        description:
          'Events of data alone, one chunk each; the last is [DONE]. A failure under way is an error body.',
      },
    },
    errors: chat,
  },
  {
    method: 'post',
    path: '/compat-a/v1/messages',
    id: 'createMessage',
    tag: 'compat-a',
    summary: 'Answers a chat in the messages protocol.',
    security: ['headerKey', 'bearer'],
    parameters: [version],
    body: [{ name: 'MessagesRequest', schema: messagesSchema }],
    answer: {
      status: 200,
      description: 'The answer.',
      json: { name: 'Message', schema: message },
      events: { name: 'MessageEvent', schema: messageEvent, description: 'Named events of the protocol.' },
    },
    errors: chat,
    errorShape: 'MessagesError',
  },
  {
    ...onB,
    path: '/compat-b/v1beta/models/{model}:generateContent',
    id: 'generateContent',
    summary: 'Answers a chat in the generate-content protocol.',
    parameters: [model],
    answer: { status: 200, description: 'The answer.', json: generated },
  },
  {
    ...onB,
    path: '/compat-b/v1beta/models/{model}:streamGenerateContent',
    id: 'streamGenerateContent',
    summary: 'Answers a chat in the generate-content protocol, as a stream.',
    parameters: [model, alt],
    answer: {
      status: 200,
      description: 'The answer.',
      events: { ...generated, description: 'Events of data alone, one part of the answer each.' },
    },
  },
  ...mediaOperations,
  {
    ...onCore,
    ...closed,
    method: 'get',
    path: '/api/v1/models',
    id: 'listModels',
    summary: 'Lists the models that the key may use.',
    answer: { status: 200, description: 'The list.', json: { name: 'ModelList', schema: modelList } },
    errors: [...anywhere, 'concurrency_exceeded'],
  },
  {
    ...onCore,
    ...closed,
    method: 'get',
    path: '/api/v1/balance',
    id: 'showBalance',
    summary: 'Shows the remaining credit and quota of the account.',
    answer: {
      status: 200,
      description: 'Credits and quota.',
      json: { name: 'Balance', schema: balanceSchema },
    },
    errors: anywhere,
  },
  {
    ...onCore,
    ...closed,
    method: 'get',
    path: '/api/v1/openapi.json',
    id: 'describeInterface',
    summary: 'Shows this document.',
    answer: { status: 200, description: 'The document.', json: openApi },
    errors: anywhere,
  },
];
