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

describe('the limits of a request', () => {
  it('drop a call that does not fit', () => {
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

describe('function calls', () => {
  it('follow the text as whole parts with ids, the first one with the signature', () => {
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

  it('are malformed if their arguments are not an object', () => {
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
