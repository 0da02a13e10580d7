import { describe, expect, it } from 'vitest';
import type { Reply } from '../../control/protocol.ts';
import type { Identity } from '../identity.ts';
import { type Answer, composeResponse, renderAnswer } from './reply.ts';
import { parseGenerate } from './request.ts';

const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];

function compose(reply: Reply, members: object = {}, identity: Partial<Identity> = {}): Answer {
  const parsed = parseGenerate(Buffer.from(JSON.stringify({ contents, ...members })));
  if (!parsed.ok) throw new Error(parsed.error.message);
  const whole = { seed: 1, tenant: 'a', channel: 'gamma', n: 1, nowMs: 0, ...identity };
  return composeResponse(parsed.payload, 'g3p-2026-09', reply, whole);
}

interface Rendered {
  candidates: [{ content?: { role: string; parts?: Record<string, unknown>[] }; finishReason: string }];
  usageMetadata: unknown;
}
const render = (reply: Reply, members?: object): Rendered =>
  renderAnswer(compose(reply, members)) as Rendered;
const candidate = (reply: Reply, members?: object): Rendered['candidates'][0] =>
  render(reply, members).candidates[0];

describe('what the request limits', () => {
  it('is obeyed: stop sequences end the text before them', () => {
    expect(
      candidate({ text: 'one two three' }, { generationConfig: { stopSequences: ['x', ' three'] } }),
    ).toEqual({
      content: { parts: [{ text: 'one two' }], role: 'model' },
      finishReason: 'STOP',
      index: 0,
    });
  });

  it('is obeyed: a limit of tokens cuts the text', () => {
    expect(render({ text: 'a b c d' }, { generationConfig: { maxOutputTokens: 2 } })).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'a b' }] }, finishReason: 'MAX_TOKENS' }],
      usageMetadata: { candidatesTokenCount: 2 },
    });
  });

  it('leaves no part of a call that does not fit', () => {
    const tool_calls = [
      { name: 'f', arguments: '{"a":1}' },
      { name: 'g', arguments: '{"b":1}' },
    ];
    const cut = candidate({ tool_calls }, { generationConfig: { maxOutputTokens: 11 } });
    expect(cut.content?.parts).toHaveLength(1);
    expect(cut.finishReason).toBe('MAX_TOKENS');
    expect(candidate({ tool_calls }, { generationConfig: { maxOutputTokens: 1 } })).toEqual({
      content: { role: 'model' },
      finishReason: 'MAX_TOKENS',
      index: 0,
    });
  });
});

describe('generated content', () => {
  const tools = [
    {
      functionDeclarations: [
        { name: 'f' },
        { name: 'g', parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } } } },
      ],
    },
  ];
  const calling = (mode: string, allowedFunctionNames: string[] = []): object => ({
    tools,
    toolConfig: { functionCallingConfig: { mode, allowedFunctionNames } },
  });

  it('depends on seed, model, conversation and the request’s seed alone', () => {
    const said = compose({}).text;
    expect(compose({}, {}, { tenant: 'b', channel: 'c', n: 9, nowMs: 5 }).text).toBe(said);
    expect(compose({}, { generationConfig: { temperature: 1 } }).text).toBe(said);
    expect(compose({}, { generationConfig: { seed: 5 } }).text).not.toBe(said);
    expect(compose({}, { systemInstruction: { parts: [{ text: 'a' }] } }).text).not.toBe(said);
    expect(compose({}, {}, { seed: 2 }).text).not.toBe(said);
  });

  it('is a call when the mode forces one, of the functions that are allowed', () => {
    const called = (members: object): unknown => candidate({}, members).content?.parts?.[0]?.functionCall;
    expect(called(calling('ANY', ['g']))).toMatchObject({ name: 'g', args: { city: expect.any(String) } });
    expect(called(calling('ANY'))).toHaveProperty('name');
    expect([called(calling('AUTO')), called(calling('NONE')), called({ tools })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('function calls', () => {
  it('stand whole behind the text, the first one with the signature, each with an id', () => {
    const tool_calls = [
      { id: 'mine', name: 'f', arguments: '{"a":[1]}' },
      { name: 'g', arguments: '' },
    ];
    const { content, finishReason } = candidate({ text: 'Hm.', tool_calls, argument_deltas: 5 });
    expect(content?.parts).toEqual([
      { text: 'Hm.' },
      {
        functionCall: { id: 'mine', name: 'f', args: { a: [1] } },
        thoughtSignature: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      },
      { functionCall: { id: expect.stringMatching(/^[a-z0-9]{8}$/), name: 'g', args: {} } },
    ]);
    expect(finishReason).toBe('STOP');
  });

  it('are malformed with arguments that are no object', () => {
    const tool_calls = [
      { name: 'f', arguments: '{}' },
      { name: 'g', arguments: '{"a"' },
      { name: 'h', arguments: '{}' },
    ];
    expect(candidate({ tool_calls })).toEqual({
      content: {
        parts: [expect.objectContaining({ functionCall: expect.objectContaining({ name: 'f' }) })],
        role: 'model',
      },
      finishReason: 'MALFORMED_FUNCTION_CALL',
      finishMessage: expect.stringContaining('g({"a")'),
      index: 0,
    });
  });
});

describe('a scripted reply', () => {
  it('reports model, usage and finish as they were given', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 5, reasoning_tokens: 2, cached_tokens: 4 };
    const rendered = renderAnswer(compose({ text: 'a', usage, model: 'other', finish: 'length' }));
    expect(rendered).toMatchObject({
      candidates: [{ finishReason: 'MAX_TOKENS' }],
      modelVersion: 'other',
      usageMetadata: {
        promptTokenCount: 9,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 3,
        thoughtsTokenCount: 2,
        totalTokenCount: 14,
      },
    });
  });

  it('ends a filtered answer with SAFETY, and without text there is no content', () => {
    const safetyRatings = [{ category: expect.any(String), probability: 'HIGH', blocked: true }];
    expect(candidate({ text: 'so far', finish: 'content_filter' })).toMatchObject({
      content: { parts: [{ text: 'so far' }] },
      finishReason: 'SAFETY',
      safetyRatings,
    });
    expect(candidate({ text: '', finish: 'content_filter' })).toEqual({
      finishReason: 'SAFETY',
      safetyRatings,
      index: 0,
    });
  });
});
