import { ApiError, FunctionCallingConfigMode, GoogleGenAI, type Part } from '@google/genai';
import type { TenantControl } from 'gatecheck-simulators/client';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Stack } from './stack.ts';
import { lastAtUpstream } from './testing/at-upstream.ts';
import { errorOf } from './testing/error-of.ts';
import { stackEachFile } from './testing/stack-each-file.ts';

/** The official client of the generate-content protocol, unmodified, on compat path B. It gets only a URL and a key. */
let stack: Stack;
let upstream: TenantControl;
let client: GoogleGenAI;

const clientWith = (apiKey: string): GoogleGenAI =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: `${stack.baseUrl}/compat-b` } });

stackEachFile((ends) => {
  ({ stack, upstream } = ends);
  client = clientWith(stack.profile.keys.K1);
});

beforeEach(() => upstream.reset());

const model = 'gamma-3-pro';
const hello = { model, contents: 'Say hello.' };
const functionDeclarations = ['look_up', 'spell'].map((name) => ({
  name,
  description: 'Does something with a word.',
  parametersJsonSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
}));
const config = { tools: [{ functionDeclarations }] };
const made = [
  { name: 'look_up', arguments: '{"word":"sea"}' },
  { name: 'spell', arguments: '{"word":"wave"}' },
];

describe('the official client of the generate-content protocol', () => {
  it('completes', async () => {
    await upstream.script({ replies: [{ text: 'Hello there. 🌊' }] });
    const answer = await client.models.generateContent({
      ...hello,
      config: { systemInstruction: 'Be brief.' },
    });
    expect(answer.text).toBe('Hello there. 🌊');
    expect(answer.candidates?.[0]?.finishReason).toBe('STOP');
    expect(answer.modelVersion).toBe(model);
    expect(answer.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
    expect(await lastAtUpstream(upstream)).toContain('Be brief.');
  });

  it('streams', async () => {
    await upstream.script({ replies: [{ deltas: ['One ', 'two ', 'three.'] }] });
    const texts: string[] = [];
    let last = null;
    for await (const chunk of await client.models.generateContentStream(hello)) {
      if (chunk.text) texts.push(chunk.text);
      last = chunk;
    }
    expect(texts).toEqual(['One ', 'two ', 'three.']);
    expect(last?.candidates?.[0]?.finishReason).toBe('STOP');
    expect(last?.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
  });

  it.each([false, true])(
    'calls two functions in parallel and answers them (streamed: %s)',
    async (streamed) => {
      await upstream.script({ replies: [{ tool_calls: made }, { text: 'The sea, w-a-v-e.' }] });
      const request = { ...hello, config };
      const parts: Part[] = [];
      if (streamed) {
        for await (const chunk of await client.models.generateContentStream(request))
          parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
      } else {
        const answer = await client.models.generateContent(request);
        parts.push(...(answer.candidates?.[0]?.content?.parts ?? []));
      }
      const calls = parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]));
      expect(calls.map(({ name, args }) => [name, args])).toEqual(
        made.map((call) => [call.name, JSON.parse(call.arguments)]),
      );
      const results = calls.map(({ id, name }) => ({
        functionResponse: {
          ...(id === undefined ? {} : { id }),
          ...(name === undefined ? {} : { name }),
          response: { output: `result of ${name}` },
        },
      }));
      const second = await client.models.generateContent({
        ...request,
        contents: [
          { role: 'user', parts: [{ text: 'Look the sea up and spell wave.' }] },
          { role: 'model', parts },
          { role: 'user', parts: results },
        ],
      });
      expect(second.text).toBe('The sea, w-a-v-e.');
      const seen = await lastAtUpstream(upstream);
      for (const { name } of made) expect(seen).toContain(`result of ${name}`);
    },
  );

  it('forces one function by name', async () => {
    await upstream.script({ replies: [{ tool_calls: made.slice(1) }] });
    const functionCallingConfig = { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ['spell'] };
    const answer = await client.models.generateContent({
      ...hello,
      config: { ...config, toolConfig: { functionCallingConfig } },
    });
    expect(answer.functionCalls?.map(({ name }) => name)).toEqual(['spell']);
    expect(await lastAtUpstream(upstream)).toContain('"allowedFunctionNames":["spell"]');
  });
});

describe('it raises its own typed error', () => {
  /** Status and code of a call's error. */
  const raised = async (work: PromiseLike<unknown>): Promise<[number, unknown]> => {
    const error = await errorOf(work);
    if (!(error instanceof ApiError)) throw new Error(`${String(error)} is no error of the client`);
    const body = JSON.parse(error.message) as { error?: { code?: unknown } };
    return [error.status, body.error?.code];
  };

  it('for keys, models and fields that are wrong', async () => {
    const stranger = clientWith('sk-app-unknown');
    const tooMuch = { ...hello, config: { maxOutputTokens: 2_500_000 } };
    // One after the other, because a rejection while another call is awaited would be unhandled.
    const cases: [() => PromiseLike<unknown>, number, string][] = [
      [() => stranger.models.generateContent(hello), 401, 'invalid_api_key'],
      [() => client.models.generateContent({ ...hello, model: 'gamma-none' }), 404, 'model_not_found'],
      [() => client.models.generateContent({ ...hello, model: 'delta-3' }), 404, 'model_not_found'],
      [
        () => client.models.generateContent({ ...hello, config: { maxOutputTokens: 0 } }),
        400,
        'invalid_param',
      ],
      [() => client.models.generateContent(tooMuch), 400, 'context_too_long'],
    ];
    for (const [work, status, code] of cases) expect(await raised(work())).toEqual([status, code]);
  });

  it('for a stream that breaks, after the text so far', async () => {
    await upstream.script({ replies: [{ deltas: ['one ', 'two '], cut: { after: 1, by: 'rst' } }] });
    const texts: string[] = [];
    const reading = (async () => {
      for await (const { text } of await client.models.generateContentStream(hello)) texts.push(text ?? '');
    })();
    // Its own class is only for numeric codes (see gateway/http/send-events.ts). What counts is that it does not treat the
    // stream as complete.
    expect(await errorOf(reading)).toBeInstanceOf(Error);
    expect(texts[0]).toBe('one ');
  });
});
