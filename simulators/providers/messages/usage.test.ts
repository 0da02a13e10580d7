import { expect, it } from 'vitest';
import { countedUsage, renderUsage } from './usage.ts';

it('is additive: input is what was neither read nor written', () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 7, cached_tokens: 300 };
  expect(renderUsage({ ...usage, cache_write_tokens: 200, cache_write_1h_tokens: 50 })).toEqual({
    input_tokens: 500,
    cache_creation_input_tokens: 200,
    cache_read_input_tokens: 300,
    cache_creation: { ephemeral_5m_input_tokens: 150, ephemeral_1h_input_tokens: 50 },
    output_tokens: 7,
    service_tier: 'standard',
  });
});

it('has every count also when nothing was cached', () => {
  expect(renderUsage({ prompt_tokens: 3, completion_tokens: 1 })).toMatchObject({
    input_tokens: 3,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  });
});

it('counts thought as output and reports how much there was', () => {
  expect(renderUsage({ prompt_tokens: 3, completion_tokens: 10, reasoning_tokens: 8 })).toMatchObject({
    output_tokens: 10,
    output_tokens_details: { thinking_tokens: 8 },
  });
});

it('takes what the cache did for what a script would say', () => {
  expect(
    countedUsage(
      100,
      { completionTokens: 5, reasoningTokens: 0 },
      { read: 10, written5m: 20, written1h: 30 },
    ),
  ).toEqual({
    prompt_tokens: 100,
    completion_tokens: 5,
    cached_tokens: 10,
    cache_write_tokens: 50,
    cache_write_1h_tokens: 30,
  });
});
