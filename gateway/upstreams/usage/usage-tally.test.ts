import { describe, expect, it } from 'vitest';
import { UsageTally } from './usage-tally.ts';

/** Prompt, completion, cached, written for five minutes, for an hour; then the doubts. */
function summary(...bodies: object[]): string | null {
  const tally = new UsageTally();
  for (const body of bodies) tally.take(body as Record<string, unknown>);
  const usage = tally.usage();
  if (usage === null) return null;
  const { promptTokens, completionTokens, cachedTokens, cacheWrite5mTokens, cacheWrite1hTokens } = usage;
  const counts = [promptTokens, completionTokens, cachedTokens, cacheWrite5mTokens, cacheWrite1hTokens];
  return [...counts, ...(usage.doubts ?? [])].join(' ');
}

const chat = (prompt: unknown, completion: unknown, more: object = {}) => ({
  usage: { prompt_tokens: prompt, completion_tokens: completion, ...more },
});
const said = (usage: object) => ({ usage });
const generated = (usageMetadata: object) => ({ usageMetadata });
const begun = generated({ promptTokenCount: 40, candidatesTokenCount: 2, totalTokenCount: 42 });
const thought = (reasoning: unknown) => ({ completion_tokens_details: { reasoning_tokens: reasoning } });
const read = (cached: unknown) => ({ prompt_tokens_details: { cached_tokens: cached } });
const split = (short: unknown, long: unknown) => ({
  cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long },
});

describe('later reports', () => {
  it.for<[string, string | null, object[]]>([
    [
      'may find that nearly all came from a cache',
      '1200 20 1200 0 0',
      [
        { message: said({ input_tokens: 1, cache_read_input_tokens: 0, output_tokens: 1 }) },
        said({ input_tokens: 0, cache_read_input_tokens: 1200, output_tokens: 20 }),
      ],
    ],
    [
      'of a smaller cache are doubtful',
      '1200 20 800 0 0 restated',
      [
        said({ input_tokens: 400, cache_read_input_tokens: 800, output_tokens: 20 }),
        said({ input_tokens: 400, cache_read_input_tokens: 300 }),
      ],
    ],
    [
      'that show less of the cache show nothing',
      '700 20 600 0 0',
      [chat(700, 20, read(600)), chat(700, 20, read(0))],
    ],
    ['of zero replace nothing', '700 20 0 0 0', [chat(700, 20), chat(0, 0, { total_tokens: 0 })]],
    ['of nulls replace nothing', '700 20 0 0 0', [chat(700, 20), { usage: null }, chat(null, null)]],
    ['grow', '700 20 0 0 0', [chat(700, 1), chat(700, 8), chat(700, 20)]],
    ['that are smaller are doubtful', '700 20 0 0 0 restated', [chat(700, 20), chat(690, 20)]],
    [
      'may show the rest of a side by their total',
      '40 5 0 0 0',
      [begun, generated({ promptTokenCount: 40, totalTokenCount: 45 })],
    ],
    [
      'whose total covers only their own prompt take nothing away',
      '40 2 0 0 0',
      [begun, generated({ promptTokenCount: 40, totalTokenCount: 40 })],
    ],
    [
      'of one side leave the other',
      '700 20 0 0 0',
      [said({ input_tokens: 700, output_tokens: 1 }), said({ output_tokens: 20 })],
    ],
    [
      'may include the cache that stood apart before',
      '1200 20 800 300 0',
      [
        said({ input_tokens: 100, cache_read_input_tokens: 800, cache_creation_input_tokens: 300 }),
        said({ input_tokens: 1200, cache_read_input_tokens: 800, output_tokens: 20 }),
      ],
    ],
    [
      'may take the cache out of what included it',
      '1200 20 800 300 0',
      [
        { message: { usage: { input_tokens: 1200, output_tokens: 1 } } },
        said({
          input_tokens: 100,
          cache_read_input_tokens: 800,
          cache_creation_input_tokens: 300,
          output_tokens: 20,
        }),
      ],
    ],
    [
      'without a total end that of the ones before',
      '40 30 0 0 0',
      [chat(40, 2, { total_tokens: 42 }), chat(40, 30)],
    ],
    ['of text in place of usage are doubtful', '40 3 0 0 0 unreadable', [chat(40, 3), { usage: 'none' }]],
  ])('%s', ([, wanted, bodies]) => expect(summary(...bodies)).toBe(wanted));
});

describe('a total', () => {
  it.for<[string, string, object]>([
    ['puts reasoning beside', '32 103 0 0 0', chat(32, 9, { total_tokens: 135, ...thought(94) })],
    ['leaves reasoning inside', '40 20 0 0 0', chat(40, 20, { total_tokens: 60, ...thought(10) })],
    [
      'keeps impossible reasoning out',
      '32 9 0 0 0 reasoning',
      chat(32, 9, { total_tokens: 41, ...thought(94) }),
    ],
    [
      'puts thoughts inside',
      '40 20 0 0 0',
      generated({
        promptTokenCount: 40,
        candidatesTokenCount: 20,
        thoughtsTokenCount: 10,
        totalTokenCount: 60,
      }),
    ],
    [
      'leaves thoughts beside',
      '40 30 0 0 0',
      generated({
        promptTokenCount: 40,
        candidatesTokenCount: 20,
        thoughtsTokenCount: 10,
        totalTokenCount: 70,
      }),
    ],
    [
      'puts results of tools inside',
      '40 20 0 0 0',
      generated({
        promptTokenCount: 40,
        toolUsePromptTokenCount: 9,
        candidatesTokenCount: 20,
        totalTokenCount: 60,
      }),
    ],
    ['puts a cache beside', '250 5 150 0 0', chat(100, 5, { total_tokens: 255, ...read(150) })],
    [
      'puts the cache of a message inside',
      '1500 20 1000 0 0',
      said({ input_tokens: 1500, cache_read_input_tokens: 1000, output_tokens: 20, total_tokens: 1520 }),
    ],
    [
      'cannot put a larger cache inside',
      '1009 20 1000 0 0 total',
      said({ input_tokens: 9, cache_read_input_tokens: 1000, output_tokens: 20, total_tokens: 29 }),
    ],
    [
      'proves several parts at once',
      '250 30 150 0 0',
      chat(100, 20, { total_tokens: 280, ...read(150), ...thought(10) }),
    ],
    ['that is no sum is doubtful', '40 12 0 0 0 total', chat(40, 12, { total_tokens: 1052 })],
    ['tells the side that is missing', '40 12 0 0 0', chat(40, undefined, { total_tokens: 52 })],
    ['tells the side that is nonsense', '40 12 0 0 0 unreadable', chat(40, -7, { total_tokens: 52 })],
    ['tells the prompt that is zero', '40 12 0 0 0', chat(0, 12, { total_tokens: 52 })],
    ['alone leaves both sides unknown', '52 0 0 0 0 partial', said({ total_tokens: 52 })],
    [
      'puts thoughts in snake case beside',
      '40 12 10 0 0',
      {
        usage_metadata: {
          prompt_token_count: 40,
          candidates_token_count: 5,
          thoughts_token_count: 7,
          cached_content_token_count: 10,
          total_token_count: 52,
        },
      },
    ],
    ['tells that nothing was said', '40 0 0 0 0', generated({ promptTokenCount: 40, totalTokenCount: 40 })],
  ])('%s', ([, wanted, body]) => expect(summary(body)).toBe(wanted));
});

describe('without a total', () => {
  it.for<[string, string | null, object]>([
    ['names decide: reasoning is inside', '40 20 0 0 0', chat(40, 20, thought(10))],
    [
      'names decide: thoughts are beside',
      '40 30 0 0 0',
      generated({ promptTokenCount: 40, candidatesTokenCount: 20, thoughtsTokenCount: 10 }),
    ],
    ['reasoning beyond the completion is beside it', '32 103 0 0 0 reasoning', chat(32, 9, thought(94))],
    ['a cache beyond the prompt is cut', '100 5 100 0 0 cached', chat(100, 5, read(150))],
    [
      'writes beyond the prompt are cut',
      '100 5 60 40 0 cached',
      chat(100, 5, { prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 70 } }),
    ],
    ['one side is partial', '40 0 0 0 0 partial', chat(40, null)],
    ['the other side too', '0 12 0 0 0 partial', said({ output_tokens: 12 })],
    ['zeros are nothing', null, chat(0, 0, { total_tokens: 0, ...read(0) })],
    ['nothing is nothing', null, {}],
    ['nonsense alone is nothing', null, chat(-1, 'many')],
  ])('%s', ([, wanted, body]) => expect(summary(body)).toBe(wanted));
});

describe('counts are read where providers put them:', () => {
  it.for<[string, string, object]>([
    [
      'cached by the pair of hit and miss',
      '900 5 600 0 0',
      chat(900, 5, { prompt_cache_hit_tokens: 600, prompt_cache_miss_tokens: 300, total_tokens: 905 }),
    ],
    ['cached at the top', '900 5 600 0 0', chat(900, 5, { cached_tokens: 600 })],
    [
      'cached twice, once as zero',
      '900 5 600 0 0',
      chat(900, 5, { ...read(0), prompt_cache_hit_tokens: 600 }),
    ],
    [
      'names of messages beside those of chat',
      '900 5 600 200 0',
      chat(900, 5, { cache_read_input_tokens: 600, cache_creation_input_tokens: 200, total_tokens: 905 }),
    ],
    [
      'a message that never includes its cache',
      '1700 5 600 200 0',
      said({
        input_tokens: 900,
        output_tokens: 5,
        cache_read_input_tokens: 600,
        cache_creation_input_tokens: 200,
      }),
    ],
    [
      'responses that include it',
      '900 5 600 0 0',
      said({ input_tokens: 900, output_tokens: 5, input_tokens_details: { cached_tokens: 600 } }),
    ],
    [
      'writes in the details',
      '900 5 600 200 0',
      chat(900, 5, { prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 200 } }),
    ],
    [
      'camel case with a total',
      '1700 5 600 200 0',
      said({
        inputTokens: 900,
        outputTokens: 5,
        cacheReadInputTokens: 600,
        cacheWriteInputTokens: 200,
        totalTokens: 1705,
      }),
    ],
    ['in metadata', '900 5 0 0 0', { metadata: said({ inputTokens: 900, outputTokens: 5 }) }],
    [
      'in the measures of the last event',
      '900 5 0 0 0',
      {
        type: 'message_stop',
        'amazon-bedrock-invocationMetrics': {
          inputTokenCount: 900,
          outputTokenCount: 5,
          invocationLatency: 812,
        },
      },
    ],
    [
      'reasoning at the top',
      '40 30 0 0 0',
      chat(40, 20, { reasoning_tokens: 10, citation_tokens: 500, total_tokens: 70 }),
    ],
    [
      'hits and misses of a cache in place of the prompt',
      '100 20 60 0 0',
      said({ prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40, completion_tokens: 20 }),
    ],
    ['cached tokens alone', '60 20 60 0 0', said({ completion_tokens: 20, ...read(60) })],
    ['other capitals', '100 20 0 0 0', said({ promptTokens: 100, completionTokens: 20, totalTokens: 120 })],
    [
      'names of another writing',
      '100 20 0 0 0',
      { usage_metadata: { prompt_token_count: 100, candidates_token_count: 20, total_token_count: 120 } },
    ],
    ['a part of a token', '100 21 0 0 0', chat(100, 20.5, { total_tokens: 120.5 })],
    ['text as numbers, and fractions of zero', '40 20 0 0 0', chat('40', '20.0')],
    [
      'details that are null',
      '40 20 0 0 0',
      chat(40, 20, { prompt_tokens_details: null, completion_tokens_details: null }),
    ],
  ])('%s', ([, wanted, body]) => expect(summary(body)).toBe(wanted));

  it.for<[object, string]>([
    [{ input_tokens: 3, cache_read_input_tokens: 5, cache_creation_input_tokens: null }, '8 7 5 0 0'],
    [{ input_tokens: 3, cache_creation_input_tokens: 100, ...split(60, 40) }, '103 7 0 60 40'],
    [{ input_tokens: 3, ...split(60, 40) }, '103 7 0 60 40'],
    [
      {
        prompt_tokens: 1800,
        prompt_tokens_details: { cached_tokens: 0, cached_creation_tokens: 1700 },
        ...{ claude_cache_creation_5_m_tokens: 0, claude_cache_creation_1_h_tokens: 1700 },
      },
      '1800 7 0 0 1700',
    ],
    [
      {
        ...{ input_tokens: 23_000, output_tokens: 1_000 },
        iterations: [
          { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
          { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
        ],
      },
      '203000 4500 0 0 0',
    ],
    [{ input_tokens: 3, ...split('60', '40.0') }, '103 7 0 60 40'],
    [{ input_tokens: 3, cache_creation_input_tokens: 100, ...split(0, 40) }, '103 7 0 60 40 cache_writes'],
    [{ input_tokens: 3, cache_creation_input_tokens: 30, ...split(60, 40) }, '33 7 0 0 30 cache_writes'],
  ])('writes by their lifetime: %j', ([native, wanted]) => {
    expect(summary(said({ output_tokens: 7, ...native }))).toBe(wanted);
  });
});
