import { expect, it } from 'vitest';
import { faultRuleSchema } from './fault-rule-schema.ts';
import { parseScript } from './script-schema.ts';

it('accepts a script with every member unchanged', () => {
  const script = {
    marker: 'm-1',
    channel: 'alpha',
    replies: [
      {
        text: 'ab',
        deltas: ['a', '', 'b'],
        tool_calls: [{ id: 'call_1', name: 'f', arguments: '{"broken' }],
        finish: 'stop',
        usage: {
          prompt_tokens: 9,
          completion_tokens: 2,
          cached_tokens: 1,
          cache_write_tokens: 5,
          cache_write_1h_tokens: 2,
          reasoning_tokens: 1,
        },
        model: 'other',
        obey: false,
        argument_deltas: 2,
        pacing: { first_ms: 10, each_ms: 5 },
        gates: ['head', 0, 7, 'end'],
        headers: { 'X-Odd': '1' },
        hang: 3,
        cut: { after: 'finish', by: 'rst' },
      },
      { status: 529, body: { any: ['json', null] } },
      {},
    ],
    // biome-ignore lint/suspicious/noThenProperty: a word of the control API
    then: 'default',
  };
  expect(parseScript(script)).toEqual({ ok: true, script });
});

it('accepts a fault by its name, in scripts and fault rules', () => {
  const [named, meant] = ['error-mid', 'S8'].map((id) => ({ id, form: 'in-chunk' }));
  const script = (given: unknown): unknown => parseScript({ replies: [{ fault: given }] });
  expect(script(named)).toEqual({ ok: true, script: { replies: [{ fault: meant }] } });
  expect(faultRuleSchema.parse({ fault: { ...named, id: 's8' } })).toEqual({ fault: meant });
  expect(faultRuleSchema.parse({ fault: 'error-mid' })).toEqual({ fault: { id: 'S8' } });
  expect(faultRuleSchema.parse({ reply: { fault: named } })).toEqual({ reply: { fault: meant } });
});

it.each([
  ['no replies', {}, 'replies'],
  ['an empty list of replies', { replies: [] }, 'replies'],
  ['an unknown member of the script', { replies: [{}], repeat: true }, 'repeat'],
  ['an unknown member of a reply', { replies: [{}, { txt: 'a' }] }, 'replies[1].txt'],
  ['a finish that does not exist', { replies: [{ finish: 'done' }] }, 'replies[0].finish'],
  ['a cut at no known point', { replies: [{ cut: { after: 'tail', by: 'fin' } }] }, 'replies[0].cut.after'],
  ['a cut without its manner', { replies: [{ cut: { after: 1 } }] }, 'replies[0].cut.by'],
  ['a gate before nothing', { replies: [{ gates: [0, -1] }] }, 'replies[0].gates[1]'],
  ['a negative delay', { replies: [{ pacing: { first_ms: -1 } }] }, 'replies[0].pacing.first_ms'],
  [
    'arguments that are not text',
    { replies: [{ tool_calls: [{ name: 'f', arguments: 7 }] }] },
    'replies[0].tool_calls[0].arguments',
  ],
  [
    'usage without a count',
    { replies: [{ usage: { prompt_tokens: 1 } }] },
    'replies[0].usage.completion_tokens',
  ],
  ['a status outside of the range', { replies: [{ status: 99 }] }, 'replies[0].status'],
  ['a header that cannot be sent', { replies: [{ headers: { 'a b': 'c' } }] }, 'replies[0].headers.a b'],
  ['deltas that are not the text', { replies: [{ text: 'ab', deltas: ['a'] }] }, 'replies[0].deltas'],
  ['a text beside a raw answer', { replies: [{ status: 500, text: 'a' }] }, 'replies[0].text'],
])('names the path of %s', (_what, script, path) => {
  const parsed = parseScript(script);
  expect(parsed).toMatchObject({ ok: false, bad: { path, message: expect.stringContaining(path) } });
});

it('reports a value that is not an object', () => {
  expect(parseScript([])).toMatchObject({
    ok: false,
    bad: { path: '', message: expect.stringMatching(/object/) },
  });
});

it('accepts the short forms of a reply, of a fault and of arguments', () => {
  const calls = [{ name: 'f', arguments: { a: 1 } }];
  expect(parseScript({ reply: 'Hi' })).toEqual({ ok: true, script: { replies: [{ text: 'Hi' }] } });
  expect(parseScript({ replies: [429, { fault: 's3' }, { tool_calls: calls }] })).toEqual({
    ok: true,
    script: {
      replies: [
        { status: 429, headers: { 'retry-after': '0' } },
        { fault: { id: 'S3' } },
        { tool_calls: [{ name: 'f', arguments: '{"a":1}' }] },
      ],
    },
  });
});
