import { rawId } from '../../oracle/native/dialects.ts';
import {
  argumentHalves,
  asStream,
  defaultCounts,
  halves,
  type NativeAnswer,
  type NativeCall,
  type NativeEvents,
  type NativeWriter,
} from './answer.ts';

const epoch = 1_700_000_000;

const whole = {
  id: `chatcmpl-${rawId}`,
  object: 'chat.completion',
  created: epoch,
  model: 'native-model',
};

/** Raw answers in the chat-completions dialect. */
export const chatCompletionsWriter: NativeWriter = {
  dialect: 'chat-completions',
  endings: [
    { native: 'end_turn', means: 'stop' },
    { native: 'eos' },
    { native: 'max_tokens', means: 'length' },
    { native: 'STOP', means: 'stop' },
    { native: 'SAFETY', means: 'content_filter' },
    { native: 'a_reason_of_its_own' },
    { native: 'tool_calls', means: 'stop' },
    { native: 'function_call', means: 'stop' },
    ...['error', 'aborted', 'network_error'].map((native) => ({ native, isFailure: true })),
  ],
  filtered: ['content_filter'],
  completion: (answer) => {
    const { text, created = epoch, toolCalls = [] } = answer;
    const { finish = toolCalls.length > 0 ? 'tool_calls' : 'stop' } = answer;
    const calls = toolCalls.map((call, index) => callDelta(call, index, call.arguments));
    const message = { role: 'assistant', content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
    return {
      status: 200,
      body: {
        ...whole,
        created,
        choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
        ...usageMember(answer),
      },
    };
  },
  stream,
  cutCall: (call) => [
    chunk(choice({ tool_calls: [callDelta(call, 0, '')] })),
    chunk(choice({ tool_calls: [{ index: 0, function: { arguments: halves(call.arguments)[0] } }] })),
  ],
  errorEvent: (message) =>
    `data: ${JSON.stringify({ error: { message, type: 'server_error', param: null, code: null } })}\n\n`,
  errorBody: (_, word) => ({
    error: { message: `boom ${word}`, type: `t_${word}`, param: `p_${word}`, code: `c_${word}` },
  }),
  tooLong: {
    status: 400,
    body: {
      error: {
        message: 'This model takes at most 400000 tokens, but the messages have 412345.',
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
  },
  noAnswers: [
    {},
    { ...whole, choices: [] },
    { ...whole, choices: null },
    { ...whole, choices: [{ index: 0, message: null, finish_reason: 'stop' }] },
    { ...whole, choices: [{ index: 0, finish_reason: 'stop' }] },
  ],
  blocked: () => ({
    status: 400,
    body: {
      error: {
        message: 'The prompt was blocked by our policy.',
        type: 'invalid_request_error',
        param: 'messages',
        code: 'content_filter',
      },
    },
  }),
  get cutByPolicy() {
    const { opening, fragments } = stream(['One, ', 'two.']);
    const message = 'The answer was blocked by our policy.';
    const error = { message, type: 'invalid_request_error', param: null, code: 'content_filter' };
    return asStream(opening, fragments, `data: ${JSON.stringify({ error })}\n\n`);
  },
};

function stream(fragments: readonly string[], answer: Omit<NativeAnswer, 'text'> = {}): NativeEvents {
  const { created = epoch, toolCalls = [] } = answer;
  const { finish = toolCalls.length > 0 ? 'tool_calls' : 'stop' } = answer;
  const usage = usageMember(answer);
  return {
    opening: [chunk(choice({ role: 'assistant', content: '' }), {}, created)],
    fragments: fragments.map((content) => chunk(choice({ content }), {}, created)),
    calls: callEvents(toolCalls),
    ending: [
      chunk(choice({}, finish), {}, created),
      ...('usage' in usage ? [chunk([], usage, created)] : []),
      'data: [DONE]\n\n',
    ],
  };
}

/** All calls are opened first, and then their fragments alternate. */
function callEvents(calls: readonly NativeCall[]): string[] {
  const parts = calls.map((call) => argumentHalves(call.arguments));
  const rounds = [0, 1].flatMap((half) =>
    calls.map((_, index) => ({ index, function: { arguments: parts[index]?.[half] ?? '' } })),
  );
  const openings = calls.map((call, index) => callDelta(call, index, ''));
  return [...openings, ...rounds].map((call) => chunk(choice({ tool_calls: [call] })));
}

function chunk(choices: readonly object[], more: object = {}, created = epoch): string {
  const part = { ...whole, object: 'chat.completion.chunk', created, choices, ...more };
  return `data: ${JSON.stringify(part)}\n\n`;
}

function choice(delta: object, reason: string | null = null): object[] {
  return [{ index: 0, delta, logprobs: null, finish_reason: reason }];
}

function callDelta({ id, name }: NativeCall, index: number, args: string): object {
  return { index, id, type: 'function', function: { name, arguments: args } };
}

function usageMember({ usage = defaultCounts }: Pick<NativeAnswer, 'usage'>): { usage?: object } {
  if (usage === null) return {};
  const { prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens } = usage;
  return {
    usage: {
      prompt_tokens,
      completion_tokens,
      total_tokens: prompt_tokens + completion_tokens,
      ...(cached_tokens === undefined ? {} : { prompt_tokens_details: { cached_tokens } }),
      ...(reasoning_tokens === undefined ? {} : { completion_tokens_details: { reasoning_tokens } }),
    },
  };
}
