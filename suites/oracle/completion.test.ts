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

  it('judges created by the clock of the deployment', () => {
    const later = (body: SampleCompletion): void =>
      void Object.assign(body, { created: sampleTime / 1000 + 5000 });
    expect(judged(later)).toBe('RESP-003 created-now');
    expect(judged(later, {}, { clockAheadMs: 5_000_000 })).toBeNull();
  });

  it.each<[string, string, (body: SampleCompletion) => void]>([
    ['a missing id', 'RESP-001 shape', (body) => delete body.id],
    ['an empty id', 'RESP-001 shape', (body) => Object.assign(body, { id: '' })],
    [
      'the object of a chunk',
      'RESP-002 shape',
      (body) => Object.assign(body, { object: 'chat.completion.chunk' }),
    ],
    ['a created that is text', 'RESP-003 shape', (body) => Object.assign(body, { created: '1800000000' })],
    [
      'a created in milliseconds',
      'RESP-003 created-now',
      (body) => Object.assign(body, { created: sampleTime }),
    ],
    ['a constant created', 'RESP-003 created-now', (body) => Object.assign(body, { created: 1_700_000_000 })],
    [
      "the upstream's model name",
      'RESP-004 served-model',
      (body) => Object.assign(body, { model: 'a52-2026-08-07' }),
    ],
    ['a missing model', 'RESP-004 shape', (body) => delete body.model],
    ['no choices', 'RESP-006 shape', (body) => Object.assign(body, { choices: [] })],
    ['an index from 1', 'RESP-007 index-from-zero', (body) => Object.assign(choiceOf(body), { index: 1 })],
    ['a missing index', 'RESP-007 shape', (body) => delete choiceOf(body).index],
    [
      'the role of a user',
      'RESP-008 shape',
      (body) => Object.assign(choiceOf(body), { message: { role: 'user', content: 'x' } }),
    ],
    [
      'neither content nor calls',
      'RESP-008 shape',
      (body) => Object.assign(choiceOf(body), { message: { role: 'assistant', content: null } }),
    ],
    [
      'a native finish_reason',
      'RESP-009 shape',
      (body) => Object.assign(choiceOf(body), { finish_reason: 'end_turn' }),
    ],
    ['a missing finish_reason', 'RESP-009 shape', (body) => delete choiceOf(body).finish_reason],
    ['missing usage', 'RESP-014 shape', (body) => Object.assign(body, { usage: undefined })],
    [
      'no prompt tokens',
      'RESP-015 prompt-counted',
      (body) => Object.assign(body.usage, { prompt_tokens: 0, total_tokens: 3, prompt_tokens_details: null }),
    ],
    ['prompt_tokens as text', 'RESP-015 shape', (body) => Object.assign(body.usage, { prompt_tokens: '12' })],
    [
      'no completion tokens for text',
      'RESP-019 completion-counted',
      (body) => Object.assign(body.usage, { completion_tokens: 0, total_tokens: 12 }),
    ],
    [
      'a fraction of completion_tokens',
      'RESP-019 shape',
      (body) => Object.assign(body.usage, { completion_tokens: 2.5 }),
    ],
    ['a missing total', 'RESP-020 shape', (body) => delete body.usage.total_tokens],
    [
      'a total that is off by one',
      'RESP-020 total-is-sum',
      (body) => Object.assign(body.usage, { total_tokens: 16 }),
    ],
    [
      'more cached than prompted',
      'RESP-021 cached-within-prompt',
      (body) => Object.assign(body.usage, { prompt_tokens_details: { cached_tokens: 13 } }),
    ],
    [
      'negative cached_tokens',
      'RESP-021 shape',
      (body) => Object.assign(body.usage, { prompt_tokens_details: { cached_tokens: -1 } }),
    ],
    [
      'calls of one id',
      'TOOL-008 call-ids',
      (body) =>
        Object.assign(choiceOf(body), {
          message: { role: 'assistant', tool_calls: [call('a'), call('a')] },
          finish_reason: 'tool_calls',
        }),
    ],
    [
      'a call without id',
      'TOOL-008 shape',
      (body) =>
        Object.assign(choiceOf(body), {
          message: { role: 'assistant', tool_calls: [{ ...call('a'), id: undefined }] },
          finish_reason: 'tool_calls',
        }),
    ],
    [
      'a call without type',
      'TOOL-009 shape',
      (body) =>
        Object.assign(choiceOf(body), {
          message: { role: 'assistant', tool_calls: [{ ...call('a'), type: undefined }] },
          finish_reason: 'tool_calls',
        }),
    ],
    [
      'arguments as an object',
      'TOOL-010 shape',
      (body) =>
        Object.assign(choiceOf(body), {
          message: {
            role: 'assistant',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: {} } }],
          },
          finish_reason: 'tool_calls',
        }),
    ],
    [
      'arguments that are no object',
      'TOOL-010 arguments-json',
      (body) =>
        Object.assign(choiceOf(body), {
          message: { role: 'assistant', tool_calls: [call('a', '[1]')] },
          finish_reason: 'tool_calls',
        }),
    ],
    [
      'tool_calls without calls',
      'TOOL-017 finish-of-calls',
      (body) => Object.assign(choiceOf(body), { finish_reason: 'tool_calls' }),
    ],
  ])('refuses %s', (_, violation, change) => {
    expect(judged(change)).toBe(violation);
  });

  it('compares completion_tokens with max_tokens', () => {
    expect(judged(() => {}, {}, { maxTokens: 3 })).toBeNull();
    expect(judged(() => {}, {}, { maxTokens: 2 })).toBe('CHAT-021 cap-on-completion');
  });

  it.each<[string, string, SampleAnswer]>([
    ['another status', 'RESP-023 success-status', { status: 201 }],
    ['a body cut short', 'RESP-023 success-status', { complete: false }],
    ['an event stream', 'RESP-023 content-type', { contentType: 'text/event-stream' }],
  ])('refuses %s', (_, violation, answer) => {
    expect(judged(() => {}, answer)).toBe(violation);
  });

  it.each<[string, string | Buffer]>([
    ['text that is no JSON', 'OK'],
    ['JSON that is not UTF-8', Buffer.from(JSON.stringify({ ...sampleCompletion(), id: 'é' }), 'latin1')],
  ])('refuses %s', (_, body) => {
    expect(violationOf(() => judgeCompletion(exchangeOf(body), expected))).toBe('RESP-023 utf8-json');
  });
});
