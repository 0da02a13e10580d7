import { describe, expect, it } from 'vitest';
import { chatRequest, messagesBodyOf } from '../../../testing/native-body.ts';
import { asks, call, result, user } from '../../../testing/request-parts.ts';
import { messagesBody } from '../messages.ts';

const turnsOf = (...messages: object[]) => messagesBodyOf({ messages }).messages;
const text = (content: string) => ({ type: 'text', text: content });
const said = (content: string) => ({ role: 'assistant', content });

describe('turns', () => {
  it('end without trailing white space in a text to continue, which the dialect would reject', () => {
    expect(turnsOf(user, said('{"a": \n')).at(-1)).toEqual({ role: 'assistant', content: [text('{"a":')] });
    expect(turnsOf(user, said('kept \n'), user)[1].content).toEqual([text('kept \n')]);
  });
});

describe('calls and results', () => {
  const inputOf = (given: string) =>
    turnsOf(user, { ...asks(), tool_calls: [call('1', 'f', given)] }, result('1'))[1].content[0].input;

  it.for<[string, object]>([
    ['{"a":[1,{"b":null}],"ü":"\\u0000"}', { a: [1, { b: null }], ü: '\u0000' }],
    ['', {}],
    [' \n', {}],
    ['{broken', { arguments: '{broken' }],
    ['[1]', { arguments: '[1]' }],
    ['"text"', { arguments: '"text"' }],
    ['null', { arguments: 'null' }],
    ['12345678901234567890', { arguments: '12345678901234567890' }],
    ['{"a":'.repeat(600), { arguments: '{"a":'.repeat(600) }],
  ])('carry the arguments %j as an object', ([given, input]) => {
    expect(inputOf(given)).toEqual(input);
  });

  it('give every call a unique legal id, the same for the call and its result', () => {
    const ids = ['toolu_01-A', 'with space', 'ü', 'functions.f:0', '😀', 'with_space'];
    const native = turnsOf(user, asks(...ids), ...ids.map((id) => result(id)), asks('ü'), result('ü'));
    const [, uses, results, again, last] = native.map((turn: { content: object[] }) => turn.content);
    const made = [...uses, ...again].map((use: { id: string }) => use.id);
    expect([...results, ...last].map((block: { tool_use_id: string }) => block.tool_use_id)).toEqual(made);
    expect(new Set(made).size).toBe(7);
    expect(made.every((id) => /^[a-zA-Z0-9_-]+$/.test(id))).toBe(true);
    expect(made[0]).toBe('toolu_01-A');
    expect(made[5]).toBe('with_space');
  });

  it('keep their made ids while the conversation grows', () => {
    const begun = [user, asks('a b'), result('a b')];
    const longer = turnsOf(...begun, user, asks('call_1'), result('call_1'));
    expect(longer[1]).toEqual(turnsOf(...begun)[1]);
  });

  it.for<[string, object[], unknown[]]>([
    ['nothing', [result('1', '')], [undefined]],
    ['white space', [result('1', ' ')], [' ']],
    ['two results', [result('1', 'a'), result('1', 'b')], [[text('a'), text('b')]]],
  ])('take %s for the result of a call', ([, results, contents]) => {
    const native = turnsOf(user, asks('1'), ...results)[2].content;
    expect(native.map((block: { content: unknown }) => block.content)).toEqual(contents);
  });

  it('answer both of two calls that share an id', () => {
    const native = turnsOf(user, asks('1', '1'), result('1', 'r'));
    const ids = native[1].content.map((use: { id: string }) => use.id);
    expect(new Set(ids).size).toBe(2);
    expect(native[2].content).toEqual([
      { type: 'tool_result', tool_use_id: ids[0], content: 'r' },
      { type: 'tool_result', tool_use_id: ids[1] },
    ]);
  });

  it('keep the legal characters of a tool name', () => {
    const turn = { ...asks(), tool_calls: [call('1', 'a.b c')] };
    expect(turnsOf(user, turn, result('1'))[1].content[0].name).toBe('a_b_c');
  });

  it('keep every digit of an argument', () => {
    const messages = [
      user,
      { ...asks(), tool_calls: [call('1', 'f', '{"n":12345678901234567890}')] },
      result('1'),
    ];
    const request = chatRequest({ messages }, 'beta-mid-4-5');
    expect(messagesBody(request, 'n').body).toContain('"input":{"n":12345678901234567890}');
  });

  it('are translated in linear time in a long conversation', () => {
    const turns = Array.from({ length: 3300 }, (_, i) => [
      asks(`${i}`, `${i}-b`),
      result(`${i}-b`),
      result(`${i}`),
    ]);
    expect(turnsOf(user, ...turns.flat())).toHaveLength(6601);
  });
});
