import { rawId } from '../../oracle/native/dialects.ts';
import {
  argumentHalves,
  asStream,
  defaultCounts,
  halves,
  type NativeAnswer,
  type NativeCall,
  type NativeCounts,
  type NativeEvents,
  type NativeWriter,
} from './answer.ts';

/**
 * Raw answers in the messages dialect. Its input counts are separate, and a stream reports them at its start.
 */
export const messagesWriter: NativeWriter = {
  dialect: 'messages',
  endings: [
    { native: 'end_turn', means: 'stop' },
    { native: 'stop_sequence', means: 'stop' },
    // The turn is not over: no word of the specification fits.
    { native: 'pause_turn' },
    { native: 'max_tokens', means: 'length', noRoom: true },
    { native: 'model_context_window_exceeded', means: 'length', noRoom: true },
    { native: 'refusal', means: 'content_filter' },
    { native: 'tool_use', means: 'stop' },
    { native: 'a_reason_of_its_own' },
  ],
  filtered: ['refusal'],
  completion: (answer) => ({ status: 200, body: messageOf(answer) }),
  stream,
  cutCall: (call) => [
    event('content_block_stop', { index: 0 }),
    ...openCall(call, 1),
    inputDelta(halves(call.arguments)[0], 1),
  ],
  errorEvent: (message) =>
    event('error', { error: { details: null, type: 'api_error', message }, request_id: 'req_native' }),
  errorBody: (status, word) => ({
    type: 'error',
    error: { type: typeOf(status), message: `boom ${word}`, details: { [`d_${word}`]: word } },
    request_id: `req_${word}`,
  }),
  tooLong: {
    status: 400,
    body: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 212345 tokens > 200000 maximum',
      },
      request_id: 'req_native',
    },
  },
  noAnswers: [
    {},
    { ...messageOf({ text: '' }), content: null },
    { ...messageOf({ text: '' }), content: [{ type: 'tool_use', id: 'toolu_1' }], stop_reason: 'tool_use' },
    { type: 'message', role: 'assistant', stop_reason: 'end_turn' },
  ],
  blocked: (streamed) => {
    const refusal = { finish: 'refusal', usage: { prompt_tokens: 12, completion_tokens: 0 } };
    const whole = { status: 200, body: { ...messageOf({ ...refusal, text: '' }), content: [] } };
    if (!streamed) return whole;
    const { opening, ending } = stream([], refusal);
    // An answer without blocks.
    return asStream(opening.slice(0, 1), ending.slice(1));
  },
  get cutByPolicy() {
    const { opening, fragments } = stream(['One, ', 'two.']);
    const error = { type: 'invalid_request_error', message: 'Output blocked by content filtering policy' };
    return asStream(opening, fragments, event('error', { error }));
  },
};

function messageOf(answer: NativeAnswer): object {
  const { text, toolCalls = [] } = answer;
  const { finish = toolCalls.length > 0 ? 'tool_use' : 'end_turn' } = answer;
  const calls = toolCalls.map(({ id, name, arguments: args }) => ({
    type: 'tool_use',
    id,
    name,
    input: JSON.parse(args) as unknown,
  }));
  return {
    id: `msg_${rawId}`,
    type: 'message',
    role: 'assistant',
    model: 'native-model',
    content: [...(text === '' ? [] : [{ type: 'text', text }]), ...calls],
    stop_reason: finish,
    stop_sequence: null,
    ...usageMember(answer, (counts) => ({
      ...inputCounts(counts),
      output_tokens: counts.completion_tokens,
    })),
  };
}

function stream(fragments: readonly string[], answer: Omit<NativeAnswer, 'text'> = {}): NativeEvents {
  const message = {
    id: `msg_${rawId}`,
    type: 'message',
    role: 'assistant',
    model: 'native-model',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...usageMember(answer, (counts) => ({ ...inputCounts(counts), output_tokens: 1 })),
  };
  const { toolCalls = [] } = answer;
  const { finish = toolCalls.length > 0 ? 'tool_use' : 'end_turn' } = answer;
  const delta = { stop_reason: finish, stop_sequence: null };
  const counted = usageMember(answer, (counts) => ({ output_tokens: counts.completion_tokens }));
  return {
    opening: [
      event('message_start', { message }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('ping', {}),
    ],
    fragments: fragments.map((text) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    ),
    calls: toolCalls.flatMap((call, index) => [
      event('content_block_stop', { index }),
      ...openCall(call, index + 1),
      ...['', ...argumentHalves(call.arguments)].map((part) => inputDelta(part, index + 1)),
      event('ping', {}),
    ]),
    ending: [
      event('content_block_stop', { index: toolCalls.length }),
      event('message_delta', { delta, ...counted }),
      event('message_stop', {}),
    ],
  };
}

/** Uncached input, cache reads and cache writes are separate counts here; they add up to all input. */
function inputCounts(counts: NativeCounts): object {
  const { prompt_tokens, cached_tokens = 0, cache_write_tokens = 0, cache_write_1h_tokens = 0 } = counts;
  return {
    input_tokens: prompt_tokens - cached_tokens - cache_write_tokens,
    cache_creation_input_tokens: cache_write_tokens,
    cache_read_input_tokens: cached_tokens,
    cache_creation: {
      ephemeral_5m_input_tokens: cache_write_tokens - cache_write_1h_tokens,
      ephemeral_1h_input_tokens: cache_write_1h_tokens,
    },
  };
}

function usageMember(
  { usage = defaultCounts }: Pick<NativeAnswer, 'usage'>,
  render: (counts: NativeCounts) => object,
): { usage?: object } {
  return usage === null ? {} : { usage: render(usage) };
}

function openCall({ id, name }: NativeCall, index: number): string[] {
  const block = { type: 'tool_use', id, name, input: {} };
  return [event('content_block_start', { index, content_block: block })];
}

function inputDelta(part: string, index: number): string {
  return event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: part } });
}

function event(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

function typeOf(status: number): string {
  const types: Readonly<Record<number, string>> = {
    400: 'invalid_request_error',
    401: 'authentication_error',
    402: 'billing_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    504: 'timeout_error',
    529: 'overloaded_error',
  };
  return types[status] ?? 'api_error';
}
