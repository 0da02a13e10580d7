import { expect, it } from 'vitest';
import { UsageTally } from './usage-tally.ts';

const chat = (completion: number, prompt = 9) => ({
  usage: { prompt_tokens: prompt, completion_tokens: completion },
});

it.for<[string, readonly number[], number, number]>([
  ['in parts, one beside each piece', [2, 1, 3, 1], 0, 7],
  ['in parts, with the sum at the end', [2, 1, 3, 1], 7, 7],
  ['as sums so far', [1, 2, 3, 4], 0, 4],
  ['as the whole, each time', [4, 4, 4, 4], 0, 4],
  ['once, beside the last piece', [0, 0, 0, 4], 0, 4],
  ['as sums so far, one of them twice', [1, 2, 2, 3], 0, 3],
  ['as a whole that is less than its pieces', [3, 3, 3, 3], 0, 3],
  ['as one token, beside the prompt each time', [1, 1, 1, 1], 0, 1],
  ['as one token of an answer in two pieces', [1, 1], 0, 1],
])('counts a completion that is reported %s', ([, reported, last, completion]) => {
  const tally = new UsageTally();
  for (const count of reported) {
    tally.take(chat(count));
    tally.sawPiece();
  }
  if (last > 0) tally.take(chat(last));
  expect(tally.usage()).toMatchObject({ promptTokens: 9, completionTokens: completion });
});

it('counts parts of one token, where only the first report has the prompt', () => {
  const tally = new UsageTally();
  for (const prompt of [9, 0, 0, 0]) {
    tally.take(chat(1, prompt));
    tally.sawPiece();
  }
  expect(tally.usage()).toMatchObject({ promptTokens: 9, completionTokens: 4 });
});
