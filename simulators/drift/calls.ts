import type { ChatDialectName } from '../answers/native-answer.ts';
import type { ScriptedFault } from '../control/protocol.ts';
import type { PassedRequest } from '../passthrough/call-provider.ts';

/** One call that a provider and the simulators both answer. */
export interface DriftCall {
  readonly name: string;
  /** The answer whose members the clients declare; null for an error. */
  readonly kind: 'plain' | 'stream' | null;
  /** The fault that has the bytes of this error, and is compared with it. */
  readonly fault?: ScriptedFault;
  readonly request: PassedRequest;
}

const question = 'Say the word tide.';
const tool = {
  name: 'tide_at',
  description: 'The tide at a place.',
  schema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};
const noModel = 'gatecheck-no-such-model';
/** Enough for a tool call. A model that thinks first needs more than the words alone. */
const maxTokens = 256;

/** The calls of a dialect, the most telling first: each costs at most a few hundred tokens. */
export function callsOf(dialect: ChatDialectName, model: string, key: string): readonly DriftCall[] {
  const request = requests[dialect];
  const ask = (given: Partial<Asked>): PassedRequest =>
    request({ model, key, stream: false, callsTool: false, isWrong: false, ...given });
  return [
    { name: 'an answer', kind: 'plain', request: ask({}) },
    { name: 'a stream', kind: 'stream', request: ask({ stream: true }) },
    { name: 'a tool call', kind: 'plain', request: ask({ callsTool: true }) },
    { name: 'a streamed tool call', kind: 'stream', request: ask({ stream: true, callsTool: true }) },
    { name: 'an unknown model', kind: null, fault: { id: 'H15' }, request: ask({ model: noModel }) },
    { name: 'a bad member', kind: null, request: ask({ isWrong: true }) },
    {
      name: 'a bad key',
      kind: null,
      fault: { id: 'H13', form: 'bad-key' },
      request: ask({ key: 'gatecheck-no-such-key' }),
    },
  ];
}

interface Asked {
  readonly model: string;
  readonly key: string;
  readonly stream: boolean;
  readonly callsTool: boolean;
  readonly isWrong: boolean;
}

const requests: Readonly<Record<ChatDialectName, (asked: Asked) => PassedRequest>> = {
  'chat-completions': ({ model, key, stream, callsTool, isWrong }) => {
    const { schema: parameters, ...named } = tool;
    return post('/v1/chat/completions', [['authorization', `Bearer ${key}`]], {
      model,
      messages: isWrong ? 'none' : [{ role: 'user', content: question }],
      max_completion_tokens: maxTokens,
      ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
      ...(callsTool
        ? { tools: [{ type: 'function', function: { ...named, parameters } }], tool_choice: 'required' }
        : {}),
    });
  },
  messages: ({ model, key, stream, callsTool, isWrong }) => {
    const { schema: input_schema, ...named } = tool;
    const headers: PassedRequest['headers'] = [
      ['x-api-key', key],
      ['anthropic-version', '2023-06-01'],
    ];
    return post('/v1/messages', headers, {
      model,
      messages: isWrong ? 'none' : [{ role: 'user', content: question }],
      max_tokens: maxTokens,
      ...(stream ? { stream } : {}),
      ...(callsTool ? { tools: [{ ...named, input_schema }], tool_choice: { type: 'any' } } : {}),
    });
  },
  'generate-content': ({ model, key, stream, callsTool, isWrong }) => {
    const { schema: parameters, ...named } = tool;
    const method = stream ? 'streamGenerateContent' : 'generateContent';
    const query = new URLSearchParams(stream ? { alt: 'sse' } : {});
    const given = {
      contents: isWrong ? 'none' : [{ role: 'user', parts: [{ text: question }] }],
      generationConfig: { maxOutputTokens: maxTokens },
      ...(callsTool
        ? {
            tools: [{ functionDeclarations: [{ ...named, parameters }] }],
            toolConfig: { functionCallingConfig: { mode: 'ANY' } },
          }
        : {}),
    };
    return post(`/v1beta/models/${model}:${method}`, [['x-goog-api-key', key]], given, query);
  },
};

function post(
  path: string,
  headers: PassedRequest['headers'],
  body: object,
  query = new URLSearchParams(),
): PassedRequest {
  const all: PassedRequest['headers'] = [...headers, ['content-type', 'application/json']];
  return { method: 'POST', path, query, headers: all, body: Buffer.from(JSON.stringify(body)) };
}
