import { expect } from 'vitest';

/** The call that variants of tool calls are asked for. */
export const tide = { name: 'tide', arguments: '{"a":1}' };

/** Counts in the form of most providers. */
const counted = {
  ...{ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  prompt_tokens_details: { cached_tokens: 60, audio_tokens: 0 },
  completion_tokens_details: expect.objectContaining({ reasoning_tokens: 8 }),
};
const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
const beside = {
  prompt_tokens: 40,
  completion_tokens: 20,
  total_tokens: 60,
  prompt_tokens_details: { cached_tokens: 60 },
};
const top = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, cached_tokens: 60 };
const split = {
  ...{ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  completion_tokens_details: { reasoning_tokens: 8 },
  ...{ prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40 },
};
const apart = {
  ...{ prompt_tokens: 100, completion_tokens: 12, total_tokens: 120 },
  prompt_tokens_details: { cached_tokens: 60 },
  completion_tokens_details: { reasoning_tokens: 8 },
};
const timed = { prompt_n: 40, cache_n: 60, predicted_n: 20 };
const renamed = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };
const inside = { candidatesTokenCount: 20, thoughtsTokenCount: 8, totalTokenCount: 120 };
const some = (members: object): unknown => expect.objectContaining(members);
const any: unknown = expect.anything();
const stopping = (content: string): unknown => some({ delta: { content }, finish_reason: 'stop' });
const usage = ['usage'];
/** Where an answer has its finish reason. */
export const finish = ['choices', 0, 'finish_reason'];
const call = ['choices', 0, 'delta', 'tool_calls', 0];
const text = ['choices', 0, 'delta', 'content'];

/** The values of each variant at a path: in a plain answer, and in the pieces of a stream without repetitions. */
export const readings: readonly [
  name: string,
  path: readonly (string | number)[],
  plain: unknown,
  stream: readonly unknown[],
][] = [
  ['deepseek', usage, split, [null, split]],
  ['groq', ['x_groq', 'usage'], undefined, [undefined, counted]],
  ['moonshot', ['choices', 0, 'usage'], undefined, [undefined, counted]],
  ['xai', usage, apart, [null, apart]],
  ['openrouter-beside-cache', usage, beside, [null, beside]],
  ['mlx-vlm', usage, renamed, [null, renamed]],
  ['zero-counts-first', usage, counted, [some(zeros), counted]],
  ['zero-counts-last', usage, counted, [null, counted, some(zeros)]],
  ['vllm-null-details', ['usage', 'prompt_tokens_details'], null, [undefined, null]],
  ['vllm-abort', finish, 'abort', [null, 'abort', undefined]],
  ['openrouter-error', finish, 'error', [null, 'error', undefined]],
  ['mistral-length', finish, 'model_length', [null, 'model_length']],
  ['sglang', finish, null, [null, undefined]],
  ['sglang', ['choices', 0, 'matched_stop'], null, [null, undefined]],
  ['ollama-empty-reason', finish, 'stop', ['', 'stop', undefined]],
  ['bedrock-proxy', finish, 'stop', [undefined, 'stop', undefined]],
  ['open-webui-early-stop', finish, 'stop', [null, 'stop', null, 'stop', undefined]],
  ['open-webui-early-stop', text, undefined, ['', undefined, '', 'Ebb ', 'and flow', undefined]],
  [
    'stop-on-every-chunk',
    ['choices', 0],
    any,
    [any, any, any, stopping('Ebb '), stopping('and flow'), any, undefined],
  ],
  ['null-choices', ['choices'], any, [any, any, any, any, null, any, any, []]],
  ['null-events', [], any, [any, any, any, any, null, any, any, any]],
  [
    'azure-filter-chunk',
    ['choices', 0, 'delta'],
    undefined,
    [any, any, any, any, undefined, any, any, undefined],
  ],
  [
    'vllm-split-call',
    ['choices', 0, 'delta', 'tool_calls'],
    undefined,
    [
      undefined,
      [some({ function: { name: 'tide' } }), { index: 0, function: { arguments: '{"a":1}' } }],
      undefined,
    ],
  ],
  [
    'deepseek-next-index',
    call,
    undefined,
    [
      undefined,
      some({ index: 0, function: { name: 'tide', arguments: '' } }),
      { index: 0, function: { arguments: '{"a":1}' } },
      some({ index: 0, function: { name: 'wind', arguments: '' } }),
      { index: 1, function: { arguments: '{}' } },
      undefined,
    ],
  ],
  ['nim-repeated-name', [...call, 'function'], undefined, [undefined, tide, undefined]],
  [
    'mistral-name-in-parts',
    [...call, 'function'],
    undefined,
    [undefined, { name: 'ti', arguments: '' }, { name: 'de', arguments: '{"a":1}' }, undefined],
  ],
  [
    'poolside-second-id',
    [...call, 'id'],
    undefined,
    [undefined, expect.stringMatching(/[^t]$/), expect.stringMatching(/-rest$/), undefined],
  ],
  ['mistral-null-id', [...call, 'id'], undefined, [undefined, any, 'null', undefined]],
  [
    'bedrock-no-arguments-first',
    [...call, 'function', 'arguments'],
    undefined,
    [undefined, '{}', '{"a":1}', undefined],
  ],
  [
    'minimax-argument-objects',
    [...call, 'function', 'arguments'],
    undefined,
    [undefined, { a: 1 }, undefined],
  ],
  [
    'qianfan-arguments-so-far',
    [...call, 'function'],
    undefined,
    [
      undefined,
      { name: 'tide', arguments: '{"a' },
      { name: 'tide', arguments: '{"a":' },
      { name: 'tide', arguments: '{"a":1}' },
      undefined,
    ],
  ],
  [
    'vllm-arguments-twice',
    [...call, 'function', 'arguments'],
    undefined,
    [undefined, '', '"{\\"a\\":1}"', undefined],
  ],
  [
    'vllm-arguments-twice',
    ['choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments'],
    '"{\\"a\\":1}"',
    [undefined],
  ],
  ['open-webui-end-behind-every', finish, 'stop', [null, 'stop', null, 'stop', undefined]],
  ['llama-cpp-timings', ['timings'], timed, [null, timed]],
  ['moonshot-cached', usage, top, [null, top]],
  ['open-reasoning', ['choices', 0, 'delta', 'reasoning'], undefined, [undefined, 'Hm', '.', undefined]],
  ['open-reasoning', ['choices', 0, 'message', 'reasoning'], 'Hm.', [undefined]],
  [
    'magistral-parts',
    text,
    undefined,
    ['', undefined, [any, { type: 'text', text: 'Ebb ' }], [{ type: 'text', text: 'and flow' }], undefined],
  ],
  [
    'magistral-parts',
    ['choices', 0, 'message', 'content', 1],
    { type: 'text', text: 'Ebb and flow' },
    [undefined],
  ],
  ['dashscope-text-so-far', text, undefined, ['', undefined, 'Ebb ', 'Ebb and ', 'Ebb and flow', undefined]],
  ['zero-input-last', ['usage', 'cache_read_input_tokens'], 60, [undefined, 0, undefined]],
  ['zero-input-first', ['message', 'usage', 'cache_read_input_tokens'], undefined, [0, undefined]],
  [
    'gemini-stop-on-every-piece',
    ['candidates', 0],
    any,
    [any, some({ finishReason: 'STOP' }), some({ finishReason: 'STOP' }), any],
  ],
  ['gemini-stop-first', ['candidates', 0, 'finishReason'], 'STOP', [undefined, 'STOP', undefined, 'STOP']],
  [
    'gemini-thoughts-inside',
    ['usageMetadata'],
    some(inside),
    expect.arrayContaining([some(inside)]) as unknown as unknown[],
  ],
  ['counts-in-parts', [...usage, 'completion_tokens'], 20, [undefined, 10, undefined]],
  ['counts-in-parts', [...usage, 'prompt_tokens'], 100, [undefined, 100, 0, undefined]],
  ['choice-one', ['choices', 0, 'index'], 0, [1, undefined]],
  ['tgi-counting-choice', ['choices', 0, 'index'], 0, [1, 2, 3, 4, 5, 6, undefined]],
  ['gemini-counts-in-parts', ['usageMetadata', 'promptTokenCount'], 100, [undefined, 100, 0, undefined]],
  ['gemini-snake-case', ['candidates', 0, 'finish_reason'], 'STOP', [undefined, 'STOP']],
  ['gemini-reason-numbers', ['candidates', 0, 'finishReason'], 1, [undefined, 1]],
];
