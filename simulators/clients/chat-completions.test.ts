import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { useSimulators } from '../testing/simulators.ts';
import { openaiAt } from './testing/chat-completions-rig.ts';

const simulators = useSimulators();

/** The official client with the simulator as its base URL. */
const clientFor = (tenant: string, apiKey = 'sk-any'): OpenAI =>
  openaiAt(simulators.base(tenant).replace(/\/v1$/, '')).withOptions({ apiKey });

const ask = { model: 'd3-2026-07-11', messages: [{ role: 'user' as const, content: 'Say something.' }] };

const parameters = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] };
const tools = ['tide', 'wind'].map((name) => ({
  type: 'function' as const,
  function: { name, parameters },
}));
const twoCalls = [
  { name: 'tide', arguments: '{"place":"Z\\u00fcrich"}' },
  { name: 'wind', arguments: '{"place":"Brest"}' },
];

describe('openai, pointed at the simulators,', () => {
  it('streams the same text, with usage in the last chunk', async () => {
    const client = clientFor(simulators.tenant().name);
    const whole = await client.chat.completions.create(ask);
    const options = { stream: true, stream_options: { include_usage: true } } as const;
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of await client.chat.completions.create({ ...ask, ...options }))
      chunks.push(chunk);
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(chunks.at(-1)?.usage).toEqual(whole.usage);
  });

  it('assembles parallel calls from a stream, and sends their results', async () => {
    const tenant = simulators.tenant();
    await tenant.script({
      replies: [{ tool_calls: twoCalls, argument_deltas: 5 }, { text: 'High, and calm.' }],
    });
    const client = clientFor(tenant.name);
    const first = await client.chat.completions.stream({ ...ask, tools }).finalChatCompletion();
    const message = first.choices[0]?.message;
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    const calls = message?.tool_calls ?? [];
    expect(calls).toMatchObject(twoCalls.map((call) => ({ type: 'function', function: call })));
    const results = calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'well' }));
    if (message === undefined) throw new Error('there is an answer');
    const second = await client.chat.completions.create({
      ...ask,
      tools,
      messages: [...ask.messages, message, ...results],
    });
    expect(second.choices[0]?.message.content).toBe('High, and calm.');
  });

  it('retries after the time in Retry-After', async () => {
    const tenant = simulators.tenant();
    const withRetryAfter = { status: 429, headers: { 'retry-after-ms': '5' } };
    await tenant.script({ replies: [withRetryAfter, { text: 'At last.' }] });
    const client = clientFor(tenant.name).withOptions({ maxRetries: 2 });
    const answer = await client.chat.completions.create(ask);
    expect(answer.choices[0]?.message.content).toBe('At last.');
  });
});
