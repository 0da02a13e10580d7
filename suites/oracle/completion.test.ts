import { describe, expect, it } from 'vitest';
import {
  exchangeOf,
  type SampleAnswer,
  type SampleCompletion,
  sampleCompletion,
  sampleModel,
  sampleTime,
  violationOf,
} from '../testing/sample-answers.ts';
import { judgeCompletion } from './completion.ts';

const expected = { requirement: 'RESP-023', aspect: 'success-status', model: sampleModel };

function judged(
  change: (body: SampleCompletion) => void,
  answer: SampleAnswer = {},
  more: object = {},
): string | null {
  const body = sampleCompletion();
  change(body);
  return violationOf(() =>
    judgeCompletion(exchangeOf(JSON.stringify(body), answer), { ...expected, ...more }),
  );
}

const choiceOf = (body: SampleCompletion): Record<string, unknown> =>
  body.choices[0] as Record<string, unknown>;
const call = (id: string, args = '{}'): object => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: args },
});

describe('judgeCompletion', () => {
  it('reads a conforming answer', () => {
    const exchange = exchangeOf(JSON.stringify(sampleCompletion()));
    expect(judgeCompletion(exchange, expected)).toMatchObject({
      id: 'chatcmpl-1',
      content: 'The sea is wide.',
      finishReason: 'stop',
      toolCalls: [],
      usage: { total_tokens: 15 },
      notes: [],
    });
  });

  it.each<[string, (body: SampleCompletion) => void]>([
    ['no details of usage', (body) => delete body.usage.prompt_tokens_details],
    ['null details of usage', (body) => Object.assign(body.usage, { prompt_tokens_details: null })],
    ['members beyond the table', (body) => Object.assign(body, { system_fingerprint: 'fp' })],
    [
      'calls beside text',
      (body) =>
        Object.assign(choiceOf(body), {
          message: { role: 'assistant', content: 'x', tool_calls: [call('a'), call('b')] },
          finish_reason: 'tool_calls',
        }),
    ],
    [
      'calls instead of text',
      (body) =>
        Object.assign(choiceOf(body), {
          message: { role: 'assistant', content: null, tool_calls: [call('a')] },
          finish_reason: 'tool_calls',
        }),
    ],
    [
      'calls that were cut short',
      (body) =>
        Object.assign(choiceOf(body), {
          message: { role: 'assistant', content: null, tool_calls: [call('a', '{"wo')] },
          finish_reason: 'length',
        }),
    ],
    [
      'no text within the limit',
      (body) =>
        Object.assign(choiceOf(body), {
          message: { role: 'assistant', content: null },
          finish_reason: 'length',
        }),
    ],
    [
      'a named call that says stop',
      (body) =>
        Object.assign(choiceOf(body), {
          message: { role: 'assistant', tool_calls: [call('a')] },
          finish_reason: 'stop',
        }),
    ],
    ['a created within five minutes', (body) => Object.assign(body, { created: sampleTime / 1000 - 299 })],
  ])('accepts %s', (_, change) => {
    expect(judged(change)).toBeNull();
  });

  it('notes a second choice and reads the first', () => {
    const body = sampleCompletion();
    body.choices.unshift({ ...choiceOf(body), index: 1, message: { role: 'assistant', content: 'other' } });
    const seen = judgeCompletion(exchangeOf(JSON.stringify(body)), expected);
    expect(seen.content).toBe('The sea is wide.');
    expect(seen.notes).toHaveLength(1);
  });

  it('compares created with the clock of the deployment', () => {
    const later = (body: SampleCompletion): void =>
      void Object.assign(body, { created: sampleTime / 1000 + 5000 });
    expect(judged(later)).toBe('RESP-003 created-now');
    expect(judged(later, {}, { clockAheadMs: 5_000_000 })).toBeNull();
  });

  it('compares completion_tokens with max_tokens', () => {
    expect(judged(() => {}, {}, { maxTokens: 3 })).toBeNull();
    expect(judged(() => {}, {}, { maxTokens: 2 })).toBe('CHAT-021 cap-on-completion');
  });

  it.each<[string, string | Buffer]>([
    ['text that is no JSON', 'OK'],
    ['JSON that is not UTF-8', Buffer.from(JSON.stringify({ ...sampleCompletion(), id: 'é' }), 'latin1')],
  ])('refuses %s', (_, body) => {
    expect(violationOf(() => judgeCompletion(exchangeOf(body), expected))).toBe('RESP-023 utf8-json');
  });
});
