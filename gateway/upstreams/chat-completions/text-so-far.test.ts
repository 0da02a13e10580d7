import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TextSoFar } from './text-so-far.ts';

function passed(deltas: readonly string[]): string[] {
  const soFar = new TextSoFar();
  return [...deltas.map((delta) => soFar.take(delta)), soFar.close()];
}

const joined = (deltas: readonly string[]): string => passed(deltas).join('');

it('takes deltas that each repeat the whole text for one text', () => {
  expect(passed(['', 'Ebb ', 'Ebb and ', 'Ebb and flow', 'Ebb and flow', '.', ''])).toEqual([
    ...['', 'Ebb ', '', 'and flow', '', '.', '', ''],
  ]);
});

it('holds back nothing of a usual stream', () => {
  expect(passed(['Ebb ', 'and ', 'Ebb and ', 'Ebb and flow'])).toEqual([
    ...['Ebb ', 'and ', 'Ebb and ', 'Ebb and flow', ''],
  ]);
});

it.for([
  [['Row ', 'Row on, ', 'and on']],
  [['Row ', 'Row on']],
  [['x', 'xx', 'xxx', 'xxxx']],
  [['1', '12', '123']],
  [['ha ', 'ha ha ', 'ha ha ha ']],
])('passes on what a model repeats: %j', ([deltas = []]) => {
  expect(joined(deltas)).toBe(deltas.join(''));
});

it('reads any growing text as one, and any parts as they are', () => {
  const word = fc.stringMatching(/^[a-z]{2,5} $/);
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 3, selector: (one) => one.slice(0, 2) }), (words) => {
      const text = words.join('');
      expect(joined(words)).toBe(text);
      expect(joined(words.map((_, at) => words.slice(0, at + 1).join('')))).toBe(text);
    }),
  );
});
