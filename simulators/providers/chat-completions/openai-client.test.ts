import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { readAll } from '../../testing/post-chat.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators();

/** The official client, pointed straight at the simulator. */
const clientFor = (lane: string): OpenAI =>
  new OpenAI({ apiKey: 'sk-any', baseURL: simulators.base(lane), maxRetries: 0 });

const ask = { model: 'd3-2026-07-11', messages: [{ role: 'user' as const, content: 'Say something.' }] };

describe('the official client', () => {
  it('completes', async () => {
    const answer = await clientFor(simulators.lane().name).chat.completions.create(ask);
    expect(answer.model).toBe('d3-2026-07-11');
    expect(answer.choices[0]?.message.content).toMatch(/\.$/);
    expect(answer.usage?.total_tokens).toBeGreaterThan(12);
  });

  it('streams, with usage in the last chunk', async () => {
    const client = clientFor(simulators.lane().name);
    const whole = await client.chat.completions.create(ask);
    const stream = await client.chat.completions.create({
      ...ask,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await readAll(stream);
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(chunks.at(-1)?.usage).toEqual(whole.usage);
  });

  it('puts a streamed tool call together', async () => {
    const lane = simulators.lane();
    const args = '{"city":"Z\\u00fcrich","days":3}';
    await lane.script({
      replies: [{ tool_calls: [{ name: 'weather', arguments: args }], argument_deltas: 5 }],
    });
    const tools = [
      { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } },
    ];
    const final = await clientFor(lane.name)
      .chat.completions.stream({ ...ask, tools })
      .finalChatCompletion();
    expect(final.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [{ type: 'function', function: { name: 'weather', arguments: args } }],
      },
    });
  });

  it('gets a call when it requires one', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const answer = await clientFor(simulators.lane().name).chat.completions.create({
      ...ask,
      tools: [{ type: 'function', function: { name: 'weather', parameters } }],
      tool_choice: 'required',
    });
    const [call] = answer.choices[0]?.message.tool_calls ?? [];
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual({
      city: expect.any(String),
    });
  });

  it('sees the native errors as typed ones', async () => {
    const client = clientFor(simulators.lane().name);
    const tooHot = client.chat.completions.create({ ...ask, temperature: 2.5 });
    const error: unknown = await tooHot.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ param: 'temperature', requestID: expect.stringMatching(/^req_/) });
    await expect(client.chat.completions.create({ ...ask, model: 'none' })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
  });
});
