import { describe, expect, it } from 'vitest';
import { exchangeOf, type SampleAnswer, violationOf } from '../../testing/sample-answers.ts';
import { judgeMessage, textIn, toolUses } from './messages-answer.ts';

const model = 'beta-mid-4-5';
const expected = { requirement: 'COMPA-001', aspect: 'served', model };

function sample(): Record<string, unknown> {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [
      { type: 'text', text: 'I look it up.' },
      { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { word: 'sea' } },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 12, output_tokens: 7, cache_read_input_tokens: 0 },
  };
}

function judged(
  change: (message: Record<string, unknown>) => void,
  answer: SampleAnswer = {},
): string | null {
  const message = sample();
  change(message);
  return violationOf(() => judgeMessage(exchangeOf(JSON.stringify(message), answer), expected));
}

describe('judgeMessage', () => {
  it('reads a conforming answer, with all digits of the numbers in an input', () => {
    const text = JSON.stringify(sample()).replace('"sea"', '9007199254740993');
    const answer = judgeMessage(exchangeOf(text), expected);
    expect(textIn(answer)).toBe('I look it up.');
    expect(toolUses(answer)).toMatchObject([{ input: { word: { exactNumber: '9007199254740993e0' } } }]);
    expect(answer).toMatchObject({ id: 'msg_1', stopReason: 'tool_use', stopSequence: null });
  });

  it.each<[string, (message: Record<string, unknown>) => void]>([
    ['members beyond the protocol', (message) => Object.assign(message, { container: null, extra: 1 })],
    ['no member for the stop sequence', (message) => delete message.stop_sequence],
    [
      'blocks of kinds that are not known here',
      (message) => Object.assign(message, { content: [{ type: 'server_tool_use' }, { type: 'x' }] }),
    ],
    [
      'an answer without a block',
      (message) => Object.assign(message, { content: [], stop_reason: 'end_turn' }),
    ],
    [
      'null for cache counts',
      (message) =>
        Object.assign(message.usage as object, { cache_read_input_tokens: null, cache_creation: null }),
    ],
  ])('accepts %s', (_, change) => {
    expect(judged(change)).toBeNull();
  });

  it("refuses other statuses under the caller's rule, and other media types under its own", () => {
    expect(judged(() => undefined, { status: 500 })).toBe('COMPA-001 served');
    expect(judged(() => undefined, { complete: false })).toBe('COMPA-001 served');
    expect(judged(() => undefined, { contentType: 'text/plain' })).toBe('COMPA-010 content-type');
  });

  it('rejects more output than requested', () => {
    const exchange = exchangeOf(JSON.stringify(sample()));
    expect(violationOf(() => judgeMessage(exchange, { ...expected, maxTokens: 6 }))).toBe(
      'COMPA-010 within-max-tokens',
    );
  });
});
