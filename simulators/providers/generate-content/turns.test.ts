import { describe, expect, it } from 'vitest';
import type { Content } from './request.ts';
import { findBrokenTurn } from './turns.ts';

type Parts = NonNullable<Content['parts']>;

const signed = 'c2lnbmVk';
const user = (text = 'hi'): Content => ({ role: 'user', parts: [{ text }] });
const call = (name: string, thoughtSignature?: string): Parts => [
  { functionCall: { name }, ...(thoughtSignature === undefined ? {} : { thoughtSignature }) },
];
const model = (...parts: Parts[]): Content => ({ role: 'model', parts: parts.flat() });
const answers = (...names: string[]): Content => ({
  role: 'user',
  parts: names.map((name) => ({ functionResponse: { name, response: {} } })),
});
const spoken: Content = { role: 'model', parts: [{ text: 'well' }] };

describe('a conversation', () => {
  it.each([
    ['turns of one side in a row', [user(), user(), spoken, spoken, user()]],
    ['the model at its beginning and its end', [spoken, user(), spoken]],
    [
      'steps, each of them signed',
      [user(), model(call('f', signed)), answers('f'), model(call('g', signed)), answers('g')],
    ],
    [
      'calls without signatures before the current turn',
      [user(), model(call('f')), answers('f'), spoken, user()],
    ],
    [
      'the word that stands for no signature',
      [user(), model(call('f', 'skip_thought_signature_validator')), answers('f')],
    ],
  ] satisfies [string, Content[]][])('may have %s', (_what, contents) => {
    expect(findBrokenTurn(contents)).toBeNull();
  });

  it.each([
    ['fewer responses than calls', [user(), model(call('f', signed), call('g')), answers('f')], 'number'],
    ['more responses than calls', [user(), model(call('f', signed)), answers('f', 'g')], 'number'],
    [
      'responses that begin in a turn of its own and go on beside a text',
      [
        user(),
        model(call('f', signed), call('g')),
        answers('f'),
        { role: 'user', parts: [{ text: 'and' }, ...(answers('g').parts ?? [])] },
      ],
      'number',
    ],
    ['calls at its end', [user(), model(call('f', signed))], 'number'],
    ['a text in place of a response', [user(), model(call('f', signed)), user()], 'number'],
    ['a response to nothing', [user(), answers('f')], 'function response turn'],
    ['a response at its beginning', [answers('f')], 'function response turn'],
    ['a call at its beginning', [model(call('f', signed)), answers('f')], 'function call turn'],
    [
      'a call after another turn of the model',
      [user(), spoken, model(call('f', signed)), answers('f')],
      'function call turn',
    ],
  ] satisfies [string, Content[], string][])('is refused with %s', (_what, contents, message) => {
    expect(findBrokenTurn(contents)).toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  it.each([
    ['the only call', [user(), model(call('f')), answers('f')], '`default_api:f`, position 2'],
    [
      'the first of several calls',
      [user(), model(call('f'), call('g', signed)), answers('f', 'g')],
      'position 2',
    ],
    [
      'a later step',
      [user(), model(call('f', signed)), answers('f'), model(call('g')), answers('g')],
      '`default_api:g`, position 4',
    ],
    ['a call whose signature is empty', [user(), model(call('f', '')), answers('f')], 'thought_signature'],
  ] satisfies [string, Content[], string][])(
    'is refused when %s of its current turn is not signed',
    (_what, contents, message) => {
      expect(findBrokenTurn(contents)).toMatchObject({
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: expect.stringContaining(message),
      });
    },
  );
});
