import { expect, it } from 'vitest';
import { hasAnyCount } from './said-counts.ts';

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
