import { describe, expect, it } from 'vitest';
import type { ChatDialectName, NativeAnswer } from '../../answers/native-answer.ts';
import type { Reply } from '../../control/protocol.ts';
import { bodyOf, edited, givenAnswer } from '../../testing/given-answer.ts';
import { useSimulators } from '../../testing/simulators.ts';
import { toolFragments } from './s24-tool-fragments.ts';

const simulators = useSimulators();

const given = (dialect: ChatDialectName, reply: Reply): Promise<NativeAnswer> =>
  givenAnswer(simulators, { dialect, call: 'stream' }, reply);

describe('fragments of tool calls', () => {
  const reply: Reply = {
    tool_calls: [
      { id: 'call_a', name: 'tide', arguments: '{"note":"say \\"hi\\"\\u0001"}' },
      { id: 'call_b', name: 'wind', arguments: '{"days":3}' },
    ],
  };
  const fragments = async (form: string): Promise<unknown[]> => {
    const answer = edited(toolFragments, await given('chat-completions', reply), { form });
    return answer.frames
      .filter(({ label }) => label.startsWith('delta-'))
      .map(({ bytes }) => JSON.parse(bytes.toString().slice(6)).choices[0].delta.tool_calls[0]);
  };

  it('cut arguments inside their escapes', async () => {
    const functions = (await fragments('in-escape')).map(
      (one) => (one as { function: { arguments: string } }).function,
    );
    expect(functions.slice(1, 7).map((one) => one.arguments)).toEqual([
      '{"note":"say \\',
      '"hi\\',
      '"\\',
      'u00',
      '01"}',
      '',
    ]);
    const body = bodyOf(edited(toolFragments, await given('messages', reply))).toString('utf8');
    const pieces = [
      ...body.matchAll(/"index":0,"delta":\{"type":"input_json_delta","partial_json":(".*")\}/g),
    ];
    expect(pieces.map(([, piece = '']) => JSON.parse(piece))).toEqual([
      '',
      '{"note":"say \\',
      '"hi\\',
      '"\\',
      'u00',
      '01"}',
    ]);
  });

  it('send names, ids and indexes late, missing, shared or in turns, by form', async () => {
    expect((await fragments('late-name')).slice(0, 2)).toEqual([
      { index: 0, id: 'call_a', type: 'function', function: { arguments: '{"note":"say \\' } },
      { index: 0, function: { name: 'tide' } },
    ]);
    expect((await fragments('no-index')).some((one) => Object.hasOwn(one as object, 'index'))).toBe(false);
    expect(await fragments('same-index')).toMatchObject([
      { index: 0, id: 'call_a', function: { name: 'tide' } },
      { index: 0, id: 'call_b', function: { name: 'wind' } },
    ]);
    expect((await fragments('next-index')).slice(-2)).toMatchObject([
      { index: 0, id: 'call_b', function: { name: 'wind', arguments: '' } },
      { index: 1, function: { arguments: '{"days":3}' } },
    ]);
    expect((await fragments('empty-members'))[1]).toMatchObject({ index: 0, id: '', function: { name: '' } });
    expect((await fragments('null-id'))[1]).toMatchObject({ id: 'null', function: { name: '' } });
    expect((await fragments('second-id')).slice(1, 3)).toMatchObject([
      { index: 0, id: 'call_a-rest' },
      { index: 0, id: 'call_a-rest' },
    ]);
    expect((await fragments('late-id')).slice(0, 2)).toMatchObject([
      { index: 0, function: { name: 'tide', arguments: '{"note":"say \\' } },
      { index: 0, id: 'call_a', function: { arguments: '' } },
    ]);
    expect((await fragments('id-in-every'))[1]).toMatchObject({ id: 'call_a' });
    const indexes = async (form: string) =>
      (await fragments(form)).map((one) => (one as { index: number }).index);
    expect(new Set(await indexes('gaps'))).toEqual(new Set([1, 3]));
    expect((await indexes('in-turns')).slice(0, 4)).toEqual([0, 1, 0, 1]);
  });

  it('beside-text puts the last texts and the first fragments into the same events', async () => {
    const said = { deltas: ['One ', 'and two.'], ...reply };
    const chat = edited(toolFragments, await given('chat-completions', said), { form: 'beside-text' });
    const deltas = chat.frames
      .filter(({ label }) => label.startsWith('delta-'))
      .map(({ bytes }) => JSON.parse(bytes.toString().slice(6)).choices[0].delta);
    expect(deltas.slice(0, 3)).toMatchObject([
      { content: 'One ', tool_calls: [{ index: 0, id: 'call_a', function: { name: 'tide' } }] },
      { content: 'and two.', tool_calls: [{ index: 0, function: { arguments: '{"note":"say \\' } }] },
      { tool_calls: [{ index: 0 }] },
    ]);
    const body = bodyOf(
      edited(toolFragments, await given('generate-content', said), { form: 'beside-text' }),
    );
    const parts = [...body.toString().matchAll(/"parts":(\[.*?\]),"role"/g)].map(([, list = '']) =>
      JSON.parse(list),
    );
    expect(parts.slice(0, 3)).toMatchObject([
      [{ text: 'One ' }],
      [{ text: 'and two.' }, { functionCall: { name: 'tide' } }],
      [{ functionCall: { name: 'wind' } }],
    ]);
  });

  it('whole-input sends all arguments at the start of a block', async () => {
    const body = bodyOf(edited(toolFragments, await given('messages', reply), { form: 'whole-input' }));
    expect(body.toString()).toContain('"name":"wind","input":{"days":3}');
    expect(body.toString()).not.toContain('input_json_delta');
  });
});
