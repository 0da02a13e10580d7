import { expect, it } from 'vitest';
import { hasAnyCount, saidCounts } from './said-counts.ts';

it.for<[answer: object, has: boolean]>([
  [{ choices: [{ usage: { prompt_tokens: 7 } }] }, true],
  [{ metrics: { inputTokenCount: '7' } }, true],
  [{ usage: null, x: { outputTokens: 12 } }, true],
  [{ usage: null }, false],
  [{ usage: { prompt_tokens: 0, completion_tokens: 0 } }, false],
  [{ choices: [{ message: { content: 'say {"prompt_tokens": 7}' } }] }, false],
])('knows whether there is a count: %j', ([answer, has]) => {
  expect(hasAnyCount(Buffer.from(JSON.stringify(answer, null, 1)))).toBe(has);
});

it('are unknown where reports of single pieces and of all so far look alike', () => {
  const said = { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 };
  expect(saidCounts('generate-content', [said, said, said, said])).toBe(null);
  expect(saidCounts('generate-content', [said, said])?.completion_tokens).toBe(1);
  const grown = { ...said, candidatesTokenCount: 3, totalTokenCount: 6 };
  expect(saidCounts('generate-content', [said, said, said, grown])?.completion_tokens).toBe(3);
});
