import { describe, expect, it } from 'vitest';
import { namedEvents, streamNamedEvents } from '../../testing/post.ts';
import { readAll } from '../../testing/post-chat.ts';
import { openMessages, postMessages } from '../../testing/post-messages.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

interface Wire {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The events of a complete stream; each name must equal the event's type. */
function eventsOf(text: string): Wire[] {
  return namedEvents(text).map(({ event, data }) => {
    const parsed = JSON.parse(data) as Wire;
    expect(event).toBe(parsed.type);
    return parsed;
  });
}

const streamed = async (tenant: { name: string }, body = {}): Promise<Wire[]> =>
  eventsOf((await postMessages(simulators.base(tenant.name, 'beta'), { stream: true, ...body })).text);

describe('a stream', () => {
  it('sends the events of a text in order, with usage in its places', async () => {
    const tenant = simulators.tenant();
    const usage = { prompt_tokens: 100, completion_tokens: 9, cached_tokens: 50, cache_write_tokens: 30 };
    await tenant.script({ replies: [{ deltas: ['a', ' b'], usage }] });
    const counts = { input_tokens: 20, cache_creation_input_tokens: 30, cache_read_input_tokens: 50 };
    expect(await streamed(tenant)).toEqual([
      {
        type: 'message_start',
        message: {
          id: expect.stringMatching(/^msg_01\w{22}$/),
          type: 'message',
          role: 'assistant',
          model: 'bl-4-5-20260801',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: {
            ...counts,
            cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 0 },
            output_tokens: 1,
            service_tier: 'standard',
          },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'ping' },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' b' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { ...counts, output_tokens: 9 },
      },
      { type: 'message_stop' },
    ]);
  });

  it('opens each call with an empty piece of input and closes it before the next', async () => {
    const tenant = simulators.tenant();
    const tool_calls = [
      { id: 'c0', name: 'f', arguments: '{"a":1}' },
      { id: 'c1', name: 'g', arguments: '' },
    ];
    await tenant.script({ replies: [{ tool_calls, argument_deltas: 2 }] });
    const piece = (index: number, partial_json: string): object => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json },
    });
    const start = (index: number, id: string, name: string): object => ({
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id, name, input: {} },
    });
    expect((await streamed(tenant)).slice(1, -2)).toEqual([
      start(0, 'c0', 'f'),
      { type: 'ping' },
      piece(0, ''),
      piece(0, '{"a"'),
      piece(0, ':1}'),
      { type: 'content_block_stop', index: 0 },
      start(1, 'c1', 'g'),
      piece(1, ''),
      { type: 'content_block_stop', index: 1 },
    ]);
  });

  it('has no block without text', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ text: '', finish: 'content_filter' }] });
    const events = await streamed(tenant);
    expect(events.map(({ type }) => type)).toEqual(['message_start', 'message_delta', 'message_stop']);
    expect(events[1]).toMatchObject({ delta: { stop_reason: 'refusal' }, usage: { output_tokens: 0 } });
  });
});

describe('the course of a stream', () => {
  const tool_calls = [{ id: 'c', name: 'f', arguments: '{}' }];

  it('stops at the gates before head, deltas and end; openings and pieces of calls count as deltas', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ deltas: ['a'], tool_calls, gates: ['head', 0, 1, 2, 3, 'end'] }] });
    const opened = openMessages(simulators.base(tenant.name, 'beta'), { stream: true });
    for (const [gate, labels] of [
      ['head', []],
      ['0', ['head', 'role']],
      ['1', ['head', 'role', 'delta-0']],
      ['2', ['head', 'role', 'delta-0', 'delta-1']],
      ['3', ['head', 'role', 'delta-0', 'delta-1', 'delta-2']],
      ['end', ['head', 'role', 'delta-0', 'delta-1', 'delta-2', 'delta-3']],
    ] as const) {
      const { entries } = await tenant.journal({ waiting: 1 });
      expect(entries[0]?.reply.waiting_at).toBe(gate);
      expect(entries[0]?.reply.sends.map(({ label }) => label)).toEqual(labels);
      await tenant.release();
    }
    const events = await readAll(streamNamedEvents(await opened));
    expect(events.at(-1)?.event).toBe('message_stop');
    const { entries } = await tenant.journal({ ended: 1 });
    expect(entries[0]?.reply.sends.slice(-2).map(({ label }) => label)).toEqual(['finish', 'done']);
  });
});
