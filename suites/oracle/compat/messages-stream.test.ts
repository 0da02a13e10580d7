import { describe, expect, it } from 'vitest';
import { type NativeMessage, plainMessage, streamedMessage } from '../../generators/compat/native-blocks.ts';
import { exchangeOf, type SampleAnswer, violationOf } from '../../testing/sample-answers.ts';
import { judgeMessage } from './messages-answer.ts';
import { judgeBrokenMessage, judgeMessageStream } from './messages-stream.ts';

const model = 'beta-mid-4-5';
const expected = { requirement: 'COMPA-001', aspect: 'served', model };
const sse = { contentType: 'text/event-stream' };

const message: NativeMessage = {
  blocks: [
    { type: 'thinking', thinking: 'Where?', signature: 'c2ln' },
    { type: 'text', text: 'I look it up.' },
    { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: '{"n":9007199254740993}' },
    { type: 'tool_use', id: 'toolu_2', name: 'look_up', input: '{}' },
  ],
  stopReason: 'tool_use',
  stopSequence: null,
  usage: { input_tokens: 12, output_tokens: 7 },
};
const identity = { id: 'msg_1', model };
const wire = String(streamedMessage(message, identity).body);
const events = wire.split('\n\n').slice(0, -1);

/** The stream with its events changed. */
function judged(change: (all: string[]) => string[], answer: SampleAnswer = sse): string | null {
  const text = change(events)
    .map((event) => `${event}\n\n`)
    .join('');
  return violationOf(() => judgeMessageStream(exchangeOf(text, answer), expected));
}

describe('judgeMessageStream', () => {
  it('assembles the same message as the non-streamed answer', () => {
    const plain = judgeMessage(exchangeOf(String(plainMessage(message, identity).body)), expected);
    const { eventTypes, ...streamed } = judgeMessageStream(exchangeOf(wire, sse), expected);
    expect(streamed).toEqual(plain);
    expect(eventTypes.at(0)).toBe('message_start');
    expect(eventTypes.at(-1)).toBe('message_stop');
  });

  it('accepts pings anywhere, comments, and other line ends', () => {
    const ping = 'event: ping\ndata: {"type":"ping"}';
    expect(judged((all) => [ping, ...all.flatMap((event) => [event, ping])])).toBeNull();
    expect(judged((all) => [': hello', ...all])).toBeNull();
    expect(
      violationOf(() => judgeMessageStream(exchangeOf(wire.replaceAll('\n', '\r\n'), sse), expected)),
    ).toBeNull();
  });

  it('rejects a stream with a JSON media type, or one that breaks off', () => {
    expect(judged((all) => all, {})).toBe('COMPA-010 stream-content-type');
    expect(judged((all) => all, { ...sse, complete: false })).toBe('COMPA-001 served');
  });
});

describe('judgeBrokenMessage', () => {
  const begun = events.slice(0, 8);
  const error = (members: object): string =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', error: members })}`;
  const ours = error({
    type: 'api_error',
    code: 'upstream_error',
    message: 'It failed.',
    channel: null,
    param: null,
  });
  const broken = (all: readonly string[], answer: SampleAnswer = sse): string | null =>
    violationOf(() => judgeBrokenMessage(exchangeOf(all.map((event) => `${event}\n\n`).join(''), answer)));

  it('accepts an error event of the common shape, and a broken connection', () => {
    expect(broken([...begun, ours])).toBeNull();
    expect(broken(begun, { ...sse, complete: false })).toBeNull();
  });

  it('refuses an invisible failure, or one that looks like a normal end', () => {
    expect(broken(begun)).toBe('COMPA-011 visible');
    expect(broken(events)).toBe('COMPA-011 no-false-ending');
    expect(broken([...begun, ours, ...events.slice(-1)])).toBe('COMPA-011 nothing-after-error');
  });

  it('rejects an error event without the normalized members', () => {
    expect(broken([...begun, error({ type: 'overloaded_error', message: 'Overloaded' })])).toBe(
      'COMPA-011 error-event-shape',
    );
  });
});
