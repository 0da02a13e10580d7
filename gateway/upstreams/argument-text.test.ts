import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArgumentText, argumentText } from './argument-text.ts';

function read(fragments: readonly string[]): string {
  const text = new ArgumentText();
  return fragments.map((fragment) => text.take(fragment)).join('') + text.close();
}

/** A text in parts that end at these fractions of it. */
function inParts(text: string, cuts: readonly number[]): string[] {
  const ends = [...cuts.map((cut) => Math.floor(cut * text.length)), text.length].toSorted((a, b) => a - b);
  return ends.map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end));
}

/** Each time from the beginning; a name that was just opened comes once. */
function soFar(parts: readonly string[]): string[] {
  const wholes = parts.map((_, at) => parts.slice(0, at + 1).join(''));
  return wholes.filter((text, at) => text !== '{"' || wholes[at - 1] !== text);
}

const whole = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });

const forms: readonly [name: string, form: (text: string, parts: readonly string[]) => readonly string[]][] =
  [
    ['parts', (_, parts) => parts],
    ['all so far', (_, parts) => soFar(parts)],
    ['parts, then the whole', (text, parts) => [...parts, text]],
    ['no arguments first', (text) => ['{}', text]],
    ['stray brackets', (_, parts) => [...parts, '}', ' ]\n']],
    ['a text of a text', (text) => [JSON.stringify(text)]],
  ];

describe('the arguments of a call are one object, whatever its fragments are:', () => {
  it.for(forms)('%s', ([, form]) => {
    fc.assert(
      fc.property(whole, cuts, (text, at) => {
        expect(read(form(text, inParts(text, at)))).toBe(text);
      }),
    );
  });

  it('a text of a text in parts', () => {
    fc.assert(
      fc.property(whole, cuts, (text, at) => {
        expect(read(inParts(JSON.stringify(text), at))).toBe(text);
      }),
    );
  });

  it.for(['', '  ', 'null', ' null ', '[]', '""', '" "'])('none for %j', (none) => {
    expect(argumentText(none)).toBe('{}');
  });
});

it('passes on parts of an object at once, unless they may stand for something else', () => {
  const text = new ArgumentText();
  expect([text.take(' '), text.take('{"x"'), text.take(':1'), text.take('}'), text.close()]).toEqual([
    '',
    ' {"x"',
    ':1',
    '}',
    '',
  ]);
});

it.for(['{"x":', 'x', '[1]', '5', '{"x":1}{"x":2}', '{"x":1} y', '"x"', '"{x"', 'nil'])(
  'passes on %j unchanged',
  (text) => {
    expect(argumentText(text)).toBe(text);
  },
);
