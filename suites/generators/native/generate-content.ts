import {
  allOf,
  asStream,
  defaultCounts,
  type NativeAnswer,
  type NativeCall,
  type NativeEvents,
  type NativeWriter,
} from './answer.ts';

/**
 * Raw answers in the generate-content dialect. Its calls are whole, and it counts reasoning separately from the
 * candidates.
 */
export const generateContentWriter: NativeWriter = {
  dialect: 'generate-content',
  endings: [
    { native: 'STOP', means: 'stop' },
    { native: 'MAX_TOKENS', means: 'length', noRoom: true },
    { native: 'SAFETY', means: 'content_filter' },
    { native: 'RECITATION', means: 'content_filter' },
    { native: 'PROHIBITED_CONTENT', means: 'content_filter' },
    { native: 'BLOCKLIST', means: 'content_filter' },
    { native: 'SPII', means: 'content_filter' },
    { native: 'LANGUAGE' },
    { native: 'A_REASON_OF_ITS_OWN' },
  ],
  filtered: ['SAFETY', 'RECITATION', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII'],
  completion: (answer) => {
    const { text, finish = 'STOP', toolCalls = [] } = answer;
    const parts = [...(text === '' ? [] : [{ text }]), ...toolCalls.map(callPart)];
    return { status: 200, body: bodyOf(parts, finish, usageOf(answer)) };
  },
  stream,
  cutCall: (call) => [event(bodyOf([callPart(call)], null, usageOf({})))],
  errorEvent: (message) => event({ error: { code: 500, message, status: 'INTERNAL' } }),
  errorBody: (status, word) => ({
    error: {
      code: status,
      message: `boom ${word}`,
      status: statusWord(status),
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: `r_${word}`,
          domain: `${word}.example`,
        },
        { '@type': 'type.googleapis.com/google.rpc.DebugInfo', detail: `[ORIGINAL ERROR] ${word}` },
      ],
    },
  }),
  tooLong: {
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'The input token count (2123456) exceeds the maximum number of tokens allowed (2000000).',
        status: 'INVALID_ARGUMENT',
      },
    },
  },
  noAnswers: [
    {},
    { candidates: [], ...usageOf({}) },
    { candidates: null, ...usageOf({}) },
    { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', index: 0 }], ...usageOf({}) },
    bodyOf([], 'MALFORMED_FUNCTION_CALL', usageOf({})),
    bodyOf([], 'UNEXPECTED_TOOL_CALL', usageOf({})),
  ],
  blocked: (streamed) => {
    const body = {
      promptFeedback: { blockReason: 'SAFETY' },
      usageMetadata: { promptTokenCount: 8, totalTokenCount: 8 },
      modelVersion: 'native-model',
    };
    return streamed ? asStream(event(body)) : { status: 200, body };
  },
  // The dialect has no error for it: the answer ends early.
  get cutByPolicy() {
    return asStream(allOf(stream(['One, ', 'two.'], { finish: 'SAFETY' })));
  },
};

function stream(fragments: readonly string[], answer: Omit<NativeAnswer, 'text'> = {}): NativeEvents {
  const { finish = 'STOP', toolCalls = [] } = answer;
  const counted = usageOf(answer);
  return {
    opening: [],
    fragments: fragments.map((text) => event(bodyOf([{ text }], null, counted))),
    // Two parallel calls in one event; each further call is alone, after an empty text.
    calls: [
      ...(toolCalls.length > 0 ? [event(bodyOf(toolCalls.slice(0, 2).map(callPart), null, counted))] : []),
      ...toolCalls.slice(2).map((call) => event(bodyOf([{ text: '' }, callPart(call)], null, counted))),
    ],
    ending: [event(bodyOf([{ text: '' }], finish, counted))],
  };
}

function bodyOf(parts: readonly object[], finish: string | null, usage: object): object {
  return {
    candidates: [
      {
        content: { role: 'model', parts },
        ...(finish === null ? {} : { finishReason: finish }),
        index: 0,
      },
    ],
    ...usage,
    modelVersion: 'native-model',
    responseId: 'native-response',
  };
}

function callPart({ name, arguments: args }: NativeCall): object {
  return { functionCall: { name, args: JSON.parse(args) as unknown }, thoughtSignature: 'bmF0aXZl' };
}

function usageOf({ usage = defaultCounts }: Pick<NativeAnswer, 'usage'>): object {
  if (usage === null) return {};
  const { prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens } = usage;
  return {
    usageMetadata: {
      promptTokenCount: prompt_tokens,
      candidatesTokenCount: completion_tokens - (reasoning_tokens ?? 0),
      totalTokenCount: prompt_tokens + completion_tokens,
      ...(cached_tokens === undefined ? {} : { cachedContentTokenCount: cached_tokens }),
      ...(reasoning_tokens === undefined ? {} : { thoughtsTokenCount: reasoning_tokens }),
    },
  };
}

function event(body: object): string {
  return `data: ${JSON.stringify(body)}\r\n\r\n`;
}

function statusWord(status: number): string {
  const words: Readonly<Record<number, string>> = {
    400: 'INVALID_ARGUMENT',
    401: 'UNAUTHENTICATED',
    403: 'PERMISSION_DENIED',
    404: 'NOT_FOUND',
    409: 'ABORTED',
    429: 'RESOURCE_EXHAUSTED',
    503: 'UNAVAILABLE',
    504: 'DEADLINE_EXCEEDED',
  };
  return words[status] ?? 'INTERNAL';
}
