import { expect, it } from 'vitest';
import { answeredWith } from '../testing/sample-exchange.ts';
import type { Exchange } from '../wire/exchange.ts';
import { statedUsage } from './stated-usage.ts';

function answered(type: string, body: string, request = ''): Exchange {
  const sample = answeredWith(['Content-Type', type]);
  const response = sample.response === null ? null : { ...sample.response, body: Buffer.from(body) };
  return { ...sample, request: { ...sample.request, body: Buffer.from(request) }, response };
}

const sse = (...events: object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

const of = (prompt: number, completion: number, cached = 0, write5m = 0, write1h = 0): object => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  cached_tokens: cached,
  cache_write_5m_tokens: write5m,
  cache_write_1h_tokens: write1h,
});

it.each([
  [
    'a completion',
    { usage: { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 3 } } },
    of(9, 4, 3),
  ],
  [
    'a message, whose prompt stands beside what the cache has',
    {
      usage: {
        input_tokens: 5,
        output_tokens: 2,
        cache_read_input_tokens: 10,
        cache_creation_input_tokens: 30,
        cache_creation: { ephemeral_1h_input_tokens: 20 },
      },
    },
    of(45, 2, 10, 10, 20),
  ],
  [
    'generated content, whose thoughts are output',
    { usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, thoughtsTokenCount: 2 } },
    of(7, 5),
  ],
])('reads the counts of %s', (_, body, counts) => {
  expect(statedUsage(answered('application/json', JSON.stringify(body)))).toEqual(counts);
});

it('reads the counts of a stream and lets later events replace earlier ones', () => {
  const body = sse(
    { type: 'message_start', message: { usage: { input_tokens: 8, output_tokens: 1 } } },
    { type: 'message_delta', usage: { output_tokens: 6 } },
  );
  expect(statedUsage(answered('text/event-stream', body))).toEqual(of(8, 6));
});

it('estimates an answer without counts by the length of its request', () => {
  expect(statedUsage(answered('text/event-stream', 'data: {"choi', 'x'.repeat(41)))).toEqual(of(11, 0));
});

it('ignores a count that no model can have, and raises a prompt to the sum of its parts', () => {
  const usage = { prompt_tokens: 2, completion_tokens: 9e15, prompt_tokens_details: { cached_tokens: 5 } };
  expect(statedUsage(answered('application/json', JSON.stringify({ usage })))).toEqual(of(5, 0, 5));
});
