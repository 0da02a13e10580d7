import type { GoogleGenAI, Part } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { useSimulators } from '../testing/simulators.ts';
import { dot } from './testing/client-rig.ts';
import { genaiAt } from './testing/generate-content-rig.ts';

const simulators = useSimulators();

/** The official client with the simulator as its base URL. */
const clientFor = (tenant: string): GoogleGenAI => genaiAt(simulators.base(tenant).replace(/\/v1$/, ''));

const model = 'g3f-2026-09';
const ask = { model, contents: 'Say something.' };
const schema = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] };
const functionDeclarations = ['tide', 'wind'].map((name) => ({ name, parametersJsonSchema: schema }));
const config = { tools: [{ functionDeclarations }] };
const twoCalls = [
  { name: 'tide', arguments: '{"place":"Z\\u00fcrich"}' },
  { name: 'wind', arguments: '{"place":"Brest"}' },
];

describe('@google/genai, pointed at the simulators,', () => {
  it('streams the same text, with the final usage in the last chunk', async () => {
    const { models } = clientFor(simulators.tenant().name);
    const whole = await models.generateContent(ask);
    const texts: string[] = [];
    let usage: object | undefined;
    for await (const chunk of await models.generateContentStream(ask)) {
      texts.push(chunk.text ?? '');
      usage = chunk.usageMetadata;
    }
    expect(texts.join('')).toBe(whole.text);
    expect(usage).toEqual(whole.usageMetadata);
  });

  it.each([false, true])(
    'calls two functions in parallel and sends their results (streamed: %s)',
    async (streamed) => {
      const tenant = simulators.tenant();
      await tenant.script({ replies: [{ tool_calls: twoCalls }, { text: 'High, and calm.' }] });
      const { models } = clientFor(tenant.name);
      const parts = await partsOf(models, streamed);
      const calls = parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]));
      expect(calls.map(({ name, args }) => [name, args])).toEqual([
        ['tide', { place: 'Zürich' }],
        ['wind', { place: 'Brest' }],
      ]);
      const results = twoCalls.map(({ name }) => ({
        functionResponse: { name, response: { output: 'well' } },
      }));
      const second = await models.generateContent({
        model,
        config,
        contents: [
          { role: 'user', parts: [{ text: 'Say something.' }] },
          { role: 'model', parts },
          { role: 'user', parts: results },
        ],
      });
      expect(second.text).toBe('High, and calm.');
    },
  );

  it('counts the tokens of a prompt before it sends an image', async () => {
    const { models } = clientFor(simulators.tenant().name);
    const contents = [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: dot } }];
    const { totalTokens } = await models.countTokens({ model, contents });
    const answer = await models.generateContent({ model, contents });
    expect(answer.usageMetadata?.promptTokenCount).toBe(totalTokens);
    expect(totalTokens).toBeGreaterThan(85);
  });

  it('keeps a conversation, and lists the models', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ text: 'Ebb.' }, { text: 'Flow.' }] });
    const client = clientFor(tenant.name);
    const chat = client.chats.create({ model });
    await chat.sendMessage({ message: 'First?' });
    expect((await chat.sendMessage({ message: 'Then?' })).text).toBe('Flow.');
    expect(chat.getHistory()).toHaveLength(4);
    const names: unknown[] = [];
    for await (const one of await client.models.list({ config: { pageSize: 1 } })) names.push(one.name);
    expect(names).toEqual(['models/g3p-2026-09', 'models/g3f-2026-09']);
    expect(await client.models.get({ model })).toMatchObject({ inputTokenLimit: 1_000_000 });
  });
});

async function partsOf(models: GoogleGenAI['models'], streamed: boolean): Promise<Part[]> {
  const asked = { ...ask, config };
  if (!streamed) return (await models.generateContent(asked)).candidates?.[0]?.content?.parts ?? [];
  const parts: Part[] = [];
  for await (const chunk of await models.generateContentStream(asked)) {
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
  }
  return parts;
}
