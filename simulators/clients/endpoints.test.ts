import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI, { AzureOpenAI } from 'openai';
import { describe, expect, it } from 'vitest';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators({ strictModels: false });
const messages = [{ role: 'user' as const, content: 'Say something.' }];

/** Clients of one tenant, and the tenant's control. */
function clients() {
  const tenant = simulators.tenant();
  const v1 = simulators.base(tenant.name);
  const url = v1.replace(/\/v1$/, '');
  const common = { apiKey: 'any-key', maxRetries: 0 };
  return {
    tenant,
    url,
    openai: new OpenAI({ ...common, baseURL: v1 }),
    anthropic: new Anthropic({ ...common, baseURL: url }),
    google: new GoogleGenAI({ apiKey: 'any-key', httpOptions: { baseUrl: url } }),
  };
}

describe('any model', () => {
  it('answers under its own name, in each dialect', async () => {
    const { openai, anthropic, google } = clients();
    expect((await openai.chat.completions.create({ model: 'gpt-x', messages })).model).toBe('gpt-x');
    expect((await anthropic.messages.create({ model: 'claude-x', max_tokens: 100, messages })).model).toBe(
      'claude-x',
    );
    expect((await google.models.generateContent({ model: 'gemini-x', contents: 'Hi' })).modelVersion).toBe(
      'gemini-x',
    );
    expect((await openai.models.retrieve('gpt-x')).id).toBe('gpt-x');
  });

  it('is rejected with strict models', async () => {
    const { tenant, openai, anthropic } = clients();
    await tenant.settings({ strict_models: true });
    const refused = { status: 404 };
    await expect(openai.chat.completions.create({ model: 'gpt-x', messages })).rejects.toMatchObject(refused);
    await expect(openai.responses.create({ model: 'gpt-x', input: 'Hi' })).rejects.toMatchObject(refused);
    await expect(openai.embeddings.create({ model: 'embed-x', input: 'Hi' })).rejects.toMatchObject(refused);
    await expect(openai.models.retrieve('gpt-x')).rejects.toMatchObject(refused);
    await expect(anthropic.models.retrieve('claude-x')).rejects.toMatchObject(refused);
  });

  it('has a list in each dialect', async () => {
    const { openai, anthropic, google } = clients();
    expect((await openai.models.list()).data.map(({ id }) => id)).toContain('a52-2026-08-07');
    expect((await anthropic.models.list()).data.map(({ id }) => id)).toContain('bl-4-5-20260801');
    const page = await google.models.list();
    expect(page.page.map(({ name }) => name)).toContain('models/g3f-2026-09');
  });
});

describe('embeddings', () => {
  it('are unit vectors, equal for equal text and in both encodings', async () => {
    const { openai } = clients();
    const create = (encoding_format: 'float' | 'base64', dimensions?: number) =>
      openai.embeddings.create({
        model: 'embed-x',
        input: ['a', 'b', 'a'],
        encoding_format,
        ...(dimensions === undefined ? {} : { dimensions }),
      });
    const { data, usage } = await create('float', 8);
    expect(data.map(({ embedding }) => embedding.length)).toEqual([8, 8, 8]);
    expect(data[0]?.embedding).toEqual(data[2]?.embedding);
    expect(data[0]?.embedding).not.toEqual(data[1]?.embedding);
    expect(Math.hypot(...(data[0]?.embedding ?? []))).toBeCloseTo(1, 5);
    expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
    const whole = await openai.embeddings.create({ model: 'embed-x', input: 'a' });
    expect(whole.data[0]?.embedding).toHaveLength(1536);
  });

  it('exist in generate-content', async () => {
    const { google } = clients();
    const { embeddings } = await google.models.embedContent({
      model: 'embed-x',
      contents: ['a', 'b'],
      config: { outputDimensionality: 4 },
    });
    expect(embeddings?.map(({ values }) => values?.length)).toEqual([4, 4]);
  });
});

describe('chat completions', () => {
  it('have the requested number of choices, plain and streamed', async () => {
    const { openai } = clients();
    const plain = await openai.chat.completions.create({ model: 'm', messages, n: 3 });
    expect(plain.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(new Set(plain.choices.map(({ message }) => message.content)).size).toBe(3);
    const texts = ['', '', ''];
    for await (const { choices } of await openai.chat.completions.create({
      model: 'm',
      messages,
      n: 3,
      stream: true,
    }))
      for (const { index, delta } of choices) texts[index] += delta.content ?? '';
    expect(texts).toEqual(plain.choices.map(({ message }) => message.content));
  });

  it('have token probabilities', async () => {
    const { tenant, openai } = clients();
    await tenant.script({ replies: [{ text: 'One two' }] });
    const asked = { model: 'm', messages, logprobs: true, top_logprobs: 2 };
    const { choices } = await openai.chat.completions.create(asked);
    const content = choices[0]?.logprobs?.content ?? [];
    expect(content.map(({ token }) => token)).toEqual(['One', ' two']);
    expect(content.every(({ logprob, top_logprobs }) => logprob <= 0 && top_logprobs.length === 2)).toBe(
      true,
    );
    const streamed: string[] = [];
    for await (const chunk of await openai.chat.completions.create({ ...asked, stream: true }))
      streamed.push(...(chunk.choices[0]?.logprobs?.content ?? []).map(({ token }) => token));
    expect(streamed).toEqual(['One', ' two']);
  });

  it('work under Azure URLs, by deployment and by version', async () => {
    const { url } = clients();
    const azure = new AzureOpenAI({
      endpoint: url,
      apiKey: 'any-key',
      apiVersion: '2026-10-01',
      deployment: 'my-deployment',
    });
    const { model } = await azure.chat.completions.create({ model: 'my-deployment', messages });
    expect(model).toBe('my-deployment');
    const newer = new OpenAI({ baseURL: `${url}/openai/v1`, apiKey: 'any-key' });
    expect((await newer.chat.completions.create({ model: 'gpt-x', messages })).model).toBe('gpt-x');
    const compatible = new OpenAI({ baseURL: url, apiKey: 'any-key' });
    expect((await compatible.chat.completions.create({ model: 'gpt-x', messages })).model).toBe('gpt-x');
  });

  it('send scripted raw events at their times, or a scripted error of the dialect', async () => {
    const { tenant, openai, anthropic } = clients();
    const chunk = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });
    await tenant.script({
      replies: [{ events: [{ data: chunk('a') }, { data: chunk('b'), at_ms: 5 }, { data: '[DONE]' }] }],
    });
    let text = '';
    for await (const { choices } of await openai.chat.completions.create({
      model: 'm',
      messages,
      stream: true,
    }))
      text += choices[0]?.delta.content;
    expect(text).toBe('ab');
    await tenant.script({ replies: [{ status: 429, error: { message: 'Slow down.', code: 'my_code' } }] });
    await expect(openai.chat.completions.create({ model: 'm', messages })).rejects.toMatchObject({
      status: 429,
      code: 'my_code',
      message: expect.stringContaining('Slow down.'),
    });
    await expect(anthropic.messages.create({ model: 'm', max_tokens: 5, messages })).rejects.toThrow(
      'Slow down.',
    );
  });
});

describe('responses', () => {
  const tool = {
    type: 'function' as const,
    name: 'tide',
    strict: true,
    parameters: {
      type: 'object',
      properties: { place: { type: 'string' } },
      required: ['place'],
      additionalProperties: false,
    },
  };

  it('have text, reasoning and calls', async () => {
    const { tenant, openai } = clients();
    const plain = await openai.responses.create({
      model: 'gpt-x',
      input: 'Hi',
      instructions: 'Be brief.',
      reasoning: { summary: 'auto' },
    });
    expect(plain.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    expect(plain.output_text).not.toBe('');
    expect(plain.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0);
    const forced = await openai.responses.create({
      model: 'gpt-x',
      input: 'Hi',
      tools: [tool],
      tool_choice: 'required',
    });
    expect(forced.output[0]).toMatchObject({ type: 'function_call', name: 'tide', status: 'completed' });
    await tenant.script({ match: { tool_result: 'tide' }, replies: [{ text: 'High.' }] });
    const [call] = forced.output;
    if (call?.type !== 'function_call') throw new Error('a call was forced');
    const output = { type: 'function_call_output' as const, call_id: call.call_id, output: '7' };
    expect((await openai.responses.create({ model: 'gpt-x', input: [call, output] })).output_text).toBe(
      'High.',
    );
  });

  it('stream events that add up to the plain answer', async () => {
    const { tenant, openai } = clients();
    const reply = {
      text: 'It is high.',
      reasoning: 'Let me see.',
      tool_calls: [{ name: 'tide', arguments: '{"place":"here"}' }],
    };
    await tenant.script({ replies: [reply] });
    const asked = { model: 'gpt-x', input: 'Hi', tools: [tool] };
    const stream = openai.responses.stream(asked);
    const types: string[] = [];
    const numbers: number[] = [];
    let text = '';
    for await (const event of stream) {
      if (types.at(-1) !== event.type) types.push(event.type);
      numbers.push(event.sequence_number);
      if (event.type === 'response.output_text.delta') text += event.delta;
    }
    expect(numbers).toEqual(numbers.map((_, at) => at));
    expect(text).toBe('It is high.');
    const final = await stream.finalResponse();
    expect(final.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
    expect(final.output[2]).toMatchObject({ name: 'tide', arguments: '{"place":"here"}' });
    const plain = await openai.responses.create(asked);
    expect(plain.output.map(({ type }) => type)).toEqual(final.output.map(({ type }) => type));
    expect(types.slice(0, 3)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
    ]);
    expect(types.at(-1)).toBe('response.completed');
  });

  it('apply faults that fit any JSON, and reject the other faults by name', async () => {
    const { tenant, openai } = clients();
    const id = await tenant.addFault({ fault: { id: 'H1' } });
    await expect(openai.responses.create({ model: 'm', input: 'Hi' })).rejects.toMatchObject({ status: 429 });
    await tenant.removeFault(id);
    await tenant.addFault({ fault: { id: 'S3' }, times: 1 });
    const broken = async (): Promise<void> => {
      for await (const _ of await openai.responses.create({ model: 'm', input: 'Hi', stream: true }));
    };
    await expect(broken()).rejects.toThrow();
    await tenant.addFault({ fault: { id: 'M5' } });
    await expect(openai.responses.create({ model: 'm', input: 'Hi' })).rejects.toThrow(
      'M5 does not exist in responses',
    );
  });

  it('are incomplete at the token limit', async () => {
    const { openai } = clients();
    const cut = await openai.responses.create({ model: 'm', input: 'Hi', max_output_tokens: 1 });
    expect([cut.status, cut.incomplete_details]).toEqual(['incomplete', { reason: 'max_output_tokens' }]);
  });
});

describe('reasoning', () => {
  it('is a block with a signature in messages, plain and streamed', async () => {
    const { anthropic } = clients();
    const asked = {
      model: 'claude-x',
      max_tokens: 2000,
      messages,
      thinking: { type: 'enabled' as const, budget_tokens: 1024 },
    };
    const plain = await anthropic.messages.create(asked);
    expect(plain.content.map(({ type }) => type)).toEqual(['thinking', 'text']);
    const final = await anthropic.messages.stream(asked).finalMessage();
    expect(final.content).toMatchObject([
      { type: 'thinking', thinking: expect.stringMatching(/./), signature: expect.stringMatching(/./) },
      { type: 'text' },
    ]);
    const [thought, said] = final.content;
    expect([thought, said]).toMatchObject([
      { thinking: (plain.content[0] as { thinking: string }).thinking },
      { text: (plain.content[1] as { text: string }).text },
    ]);
  });

  it('is a thought part in generate-content', async () => {
    const { google } = clients();
    const asked = {
      model: 'gemini-x',
      contents: 'Hi',
      config: { thinkingConfig: { includeThoughts: true } },
    };
    const { candidates, usageMetadata } = await google.models.generateContent(asked);
    expect(candidates?.[0]?.content?.parts).toMatchObject([{ thought: true }, { text: expect.any(String) }]);
    expect(usageMetadata?.thoughtsTokenCount).toBeGreaterThan(0);
    const thoughts: boolean[] = [];
    for await (const chunk of await google.models.generateContentStream(asked))
      thoughts.push(chunk.candidates?.[0]?.content?.parts?.[0]?.thought === true);
    expect(thoughts.slice(0, 2)).toEqual([true, false]);
  });
});
