import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Dialect } from '../profile/dialects.ts';
import { answerExamples, answerScripts, replyOf } from './answer-script.ts';

const dialects: readonly Dialect[] = ['messages', 'generate-content'];

it.for(dialects)('has text or calls, and its fragments join to the text (%s)', (dialect) => {
  fc.assert(
    fc.property(answerScripts(dialect), (script) => {
      const { text = '', deltas = [], tool_calls: calls = [] } = replyOf(script);
      expect(text !== '' || calls.length > 0).toBe(true);
      expect(deltas.join('')).toBe(text);
      for (const call of calls) expect(JSON.parse(call.arguments)).toBeTypeOf('object');
    }),
    { seed: 5 },
  );
});

it.for(dialects)('counts some output tokens that are not reasoning (%s)', (dialect) => {
  fc.assert(
    fc.property(answerScripts(dialect), ({ counts }) => {
      const { completion_tokens: all, reasoning_tokens: thought = 0 } = counts;
      expect(all - thought).toBeGreaterThanOrEqual(1);
      expect(thought).toBeGreaterThanOrEqual(0);
    }),
    { seed: 6 },
  );
});

it('has an example of every end, and of calls with and without text', () => {
  const finishes = answerExamples.map(({ finish }) => finish);
  expect(new Set(finishes)).toEqual(new Set([null, 'length', 'content_filter']));
  const withCalls = answerExamples.filter(({ calls }) => calls.length > 0);
  expect(withCalls.map(({ said }) => said === null)).toEqual([false, true]);
});
