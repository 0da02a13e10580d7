import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { useSimulators } from '../testing/simulators.ts';
import { dot } from './testing/client-rig.ts';
import { anthropicAt } from './testing/messages-rig.ts';

const simulators = useSimulators();

/** The official client with the simulator as its base URL. */
const clientFor = (tenant: string): Anthropic => anthropicAt(simulators.base(tenant).replace(/\/v1$/, ''));

const ask = {
  model: 'bl-4-5-20260801',
  max_tokens: 1000,
  messages: [{ role: 'user' as const, content: 'Say something.' }],
};
const schema = { type: 'object' as const, properties: { place: { type: 'string' } }, required: ['place'] };
const tools = ['tide', 'wind'].map((name) => ({ name, input_schema: schema }));
const twoCalls = [
  { name: 'tide', arguments: '{"place":"Z\\u00fcrich"}' },
  { name: 'wind', arguments: '{"place":"Brest"}' },
];

const textOf = ({ content }: Anthropic.Message): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');

describe('@anthropic-ai/sdk, pointed at the simulators,', () => {
  it('streams the same message, piece by piece and as a whole', async () => {
    const { messages } = clientFor(simulators.tenant().name);
    const whole = await messages.create(ask);
    const pieces: string[] = [];
    const stream = messages.stream(ask).on('text', (piece) => pieces.push(piece));
    const { id: _, ...streamed } = await stream.finalMessage();
    const { id: _other, _request_id, ...rest } = whole;
    expect(streamed).toMatchObject({ ...rest, usage: { output_tokens: rest.usage.output_tokens } });
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(textOf(whole));
  });

  it.each([false, true])(
    'calls two tools in parallel and sends their results (streamed: %s)',
    async (streamed) => {
      const tenant = simulators.tenant();
      await tenant.script({
        replies: [{ tool_calls: twoCalls, argument_deltas: 5 }, { text: 'High, and calm.' }],
      });
      const { messages } = clientFor(tenant.name);
      const asked = { ...ask, tools };
      const first = streamed ? await messages.stream(asked).finalMessage() : await messages.create(asked);
      expect(first.stop_reason).toBe('tool_use');
      const uses = first.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
      expect(uses.map(({ name, input }) => [name, input])).toEqual([
        ['tide', { place: 'Zürich' }],
        ['wind', { place: 'Brest' }],
      ]);
      const results = uses.map(({ id }) => ({
        type: 'tool_result' as const,
        tool_use_id: id,
        content: 'well',
      }));
      const second = await messages.create({
        ...asked,
        messages: [
          ...ask.messages,
          { role: 'assistant', content: first.content },
          { role: 'user', content: results },
        ],
      });
      expect(textOf(second)).toBe('High, and calm.');
    },
  );

  it('counts the tokens of a prompt before it sends an image', async () => {
    const { messages } = clientFor(simulators.tenant().name);
    const source = { type: 'base64' as const, media_type: 'image/png' as const, data: dot };
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image' as const, source },
    ];
    const asked = { ...ask, messages: [{ role: 'user' as const, content }] };
    const { max_tokens: _limit, ...prompt } = asked;
    const { input_tokens } = await messages.countTokens(prompt);
    const answer = await messages.create(asked);
    expect(answer.usage.input_tokens).toBe(input_tokens);
    expect(input_tokens).toBeGreaterThan(85);
  });
});
