import { describe, expect, it } from 'vitest';
import type { Reply } from '../../control/protocol.ts';
import { argumentsAsObject } from './arguments.ts';
import { type ComposedAnswer, composeAnswer } from './compose.ts';
import { countCompletion } from './limits.ts';
import type { Prompt } from './prompt.ts';

function compose(reply: Reply, changed: Partial<Prompt> = {}): ComposedAnswer {
  const prompt: Prompt = {
    model: 'm',
    conversation: 'hi',
    seed: null,
    stops: [],
    maxTokens: null,
    tools: [],
    choice: 'auto',
    format: 'text',
    ...changed,
  };
  return composeAnswer(prompt, reply, 1);
}

describe('the stop sequence', () => {
  it('is the one that halted the text, of several the earliest', () => {
    const answer = compose({ text: 'one two three' }, { stops: ['three', ' two', 'none'] });
    expect(answer).toMatchObject({ text: 'one', finish: 'stop', stopSequence: ' two', completionTokens: 1 });
  });

  it('is none when the text ended by itself or a limit cut it earlier', () => {
    expect(compose({ text: 'one' }, { stops: ['two'] }).stopSequence).toBeNull();
    const cut = compose({ text: 'a b c d' }, { stops: [' d'], maxTokens: 2 });
    expect(cut).toMatchObject({ text: 'a b', finish: 'length', stopSequence: null });
  });
});

it('gives scripted ids to their calls and leaves the others to the dialect', () => {
  const tool_calls = [
    { name: 'f', arguments: '{}' },
    { id: 'mine', name: 'g', arguments: '' },
  ];
  expect(compose({ tool_calls, argument_deltas: 2 })).toMatchObject({
    text: null,
    textDeltas: [],
    finish: 'tool_calls',
    calls: [
      { id: null, name: 'f', fragments: ['{', '}'] },
      { id: 'mine', name: 'g', fragments: [] },
    ],
  });
});

it('forces the tool that is chosen, any of them when one is required, and none otherwise', () => {
  const tools = ['first', 'second'].map((name) => ({ name, parameters: undefined }));
  const called = (choice: Prompt['choice']): string[] =>
    compose({}, { tools, choice }).calls.map(({ name }) => name);
  expect(called({ name: 'second' })).toEqual(['second']);
  expect(called('required')).toHaveLength(1);
  expect([called('auto'), called('none')]).toEqual([[], []]);
});

it('writes a document that fits the schema, or any when there is none', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 4, maximum: 4 } } };
  expect(JSON.parse(compose({}, { format: { schema } }).text ?? '')).toEqual({ n: 4 });
  expect(JSON.parse(compose({}, { format: { schema: null } }).text ?? '')).toHaveProperty('title');
});

it('counts the completion over text, names and arguments', () => {
  expect(countCompletion('two words', [])).toBe(2);
  expect(countCompletion(null, [{ name: 'look_up', arguments: '{}' }])).toBe(3);
});

it('makes an empty object of arguments that are none', () => {
  expect(argumentsAsObject('{"a":[1]}')).toEqual({ a: [1] });
  expect(JSON.stringify(argumentsAsObject('{"n":9007199254740993,"tiny":1e-7}'))).toBe(
    '{"n":9007199254740993,"tiny":1e-7}',
  );
  expect(['', '{"a":', '[1]', 'null', '5'].map(argumentsAsObject)).toEqual([{}, {}, {}, {}, {}]);
});
