import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../control/protocol.ts';
import { countTokens, cutIntoPieces } from '../../tokens.ts';
import { askedOf } from './asked.ts';
import { type Completion, completionOf, completionText, renderCompletion } from './reply.ts';
import type { ChatRequest } from './request.ts';

const identity = { seed: 1, tenant: 'a', channel: 'alpha', n: 1, nowMs: 1_700_000_000_999 };

function compose(
  reply: Reply,
  request: Partial<ChatRequest> = {},
  changed: Partial<typeof identity> = {},
): Completion {
  const whole: ChatRequest = { model: 'small-1', messages: [{ role: 'user', content: 'hi' }], ...request };
  return completionOf(askedOf(whole), reply, { ...identity, ...changed });
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });

it('is written as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(text, fc.boolean(), (given, calls) => {
      const completion = compose({
        text: given,
        ...(calls && { tool_calls: [{ name: 'f', arguments: '{}' }] }),
      });
      expect(completionText(completion)).toBe(JSON.stringify(renderCompletion(completion), null, 2));
    }),
  );
});

describe('limits', () => {
  it('cut the text at exactly that many tokens and report length', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (given, max_tokens) => {
        const completion = compose({ text: given }, { max_tokens });
        const pieces = cutIntoPieces(given);
        expect(completion.text).toBe(pieces.slice(0, max_tokens).join(''));
        expect(completion.finish).toBe(pieces.length > max_tokens ? 'length' : 'stop');
        expect(completion.usage.completion_tokens).toBe(Math.min(pieces.length, max_tokens));
      }),
    );
  });

  it('prefer max_completion_tokens over max_tokens', () => {
    expect(compose({ text: 'a b c' }, { max_tokens: 3, max_completion_tokens: 1 }).text).toBe('a');
  });

  it('drop the calls if a stop sequence ends the text', () => {
    const tool_calls = [{ name: 'f', arguments: '{}' }];
    expect(compose({ text: 'one two', tool_calls }, { stop: 'two' })).toMatchObject({
      calls: [],
      finish: 'stop',
    });
    expect(compose({ text: 'one', tool_calls }, { stop: 'two' })).toMatchObject({ finish: 'tool_calls' });
  });

  it('apply the token limit after the stop sequence', () => {
    const completion = compose({ text: 'a b c d' }, { stop: ' d', max_tokens: 2 });
    expect(completion).toMatchObject({ text: 'a b', finish: 'length' });
  });

  it('cut the arguments of a call and drop a call whose name does not fit', () => {
    const tool_calls = [
      { name: 'f', arguments: '{"a":1}' },
      { name: 'g', arguments: '{}' },
    ];
    const completion = compose({ tool_calls }, { max_tokens: 4 });
    expect(completion.calls.map((call) => [call.name, call.arguments])).toEqual([['f', '{"a']]);
    expect(completion).toMatchObject({ finish: 'length', usage: { completion_tokens: 4 } });
  });

  it('have no effect with `obey: false`', () => {
    const completion = compose({ text: 'a b c', obey: false }, { max_tokens: 1, stop: 'b' });
    expect(completion).toMatchObject({ text: 'a b c', finish: 'stop' });
  });
});

describe('a scripted reply', () => {
  it('reports finish, usage and model as they were given', () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 2, cached_tokens: 900 };
    const completion = compose(
      { text: 'a b c', finish: 'content_filter', usage, model: 'other' },
      { max_tokens: 1 },
    );
    expect(completion).toMatchObject({
      finish: 'content_filter',
      model: 'other',
      usage: {
        prompt_tokens: 1000,
        completion_tokens: 2,
        total_tokens: 1002,
        prompt_tokens_details: { cached_tokens: 900 },
      },
    });
  });

  it('splits the text as scripted, up to its end', () => {
    expect(compose({ deltas: ['a', '', 'b', ' c'] }).textDeltas).toEqual(['a', '', 'b', ' c']);
    expect(compose({ deltas: ['a b', ' c d'] }, { max_tokens: 3 }).textDeltas).toEqual(['a b', ' c']);
  });

  it('splits the text by tokens when no split is scripted, the same way every time', () => {
    fc.assert(
      fc.property(text, (given) => {
        const { textDeltas } = compose({ text: given });
        expect(textDeltas.join('')).toBe(given);
        expect(textDeltas.every((delta) => countTokens(delta) <= 4)).toBe(true);
        expect(compose({ text: given }, {}, { n: 2, tenant: 'b' }).textDeltas).toEqual(textDeltas);
      }),
    );
  });

  it('splits arguments into the given number of fragments, never inside a character', () => {
    const call = (args: string, argument_deltas?: number): readonly string[] | undefined =>
      compose({
        tool_calls: [{ name: 'f', arguments: args }],
        ...(argument_deltas === undefined ? {} : { argument_deltas }),
      }).calls[0]?.fragments;
    expect(call('{"a":1234}')).toEqual(['{"a"', ':123', '4}']);
    expect(call('🙂🙂', 2)).toEqual(['🙂', '🙂']);
    expect(call('ab', 9)).toEqual(['a', 'b']);
    expect(call('')).toEqual([]);
  });

  it('gives calls without an id a new one, and has the finish reason tool_calls', () => {
    const completion = compose({
      tool_calls: [
        { name: 'f', arguments: '{}' },
        { id: 'mine', name: 'g', arguments: '{}' },
      ],
    });
    expect(completion.calls.map(({ id }) => id)).toEqual([expect.stringMatching(/^call_\w{24}$/), 'mine']);
    expect(completion).toMatchObject({ text: null, finish: 'tool_calls' });
  });
});

describe('a generated reply', () => {
  it('depends only on the seeds, the model and the messages', () => {
    const { text: said } = compose({});
    expect(compose({}, {}, { tenant: 'b', channel: 'beta', n: 99, nowMs: 5 }).text).toBe(said);
    expect(compose({}, { temperature: 2, user: 'u', stream: true }).text).toBe(said);
    const others = [
      compose({}, {}, { seed: 2 }),
      compose({}, { seed: 7 }),
      compose({}, { model: 'ac-2026-03-01' }),
      compose({}, { messages: [{ role: 'user', content: 'hi!' }] }),
    ];
    expect(new Set([said, ...others.map((other) => other.text)]).size).toBe(5);
  });

  it('has 12 to 40 words', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const words = compose({}, { seed }).text?.split(' ').length ?? 0;
        expect(words).toBeGreaterThanOrEqual(12);
        expect(words).toBeLessThanOrEqual(40);
      }),
    );
  });

  it('has ids that depend only on tenant, channel and number', () => {
    expect(compose({}, {}, { nowMs: 1 }).id).toBe(compose({}, { seed: 3 }).id);
    const ids = [
      compose({}),
      compose({}, {}, { n: 2 }),
      compose({}, {}, { tenant: 'b' }),
      compose({}, {}, { channel: 'b' }),
    ];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(4);
  });
});
