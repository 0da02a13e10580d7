import fc from 'fast-check';
import { expect, it } from 'vitest';
import { topMembers, withEdits } from './top-members.ts';

it('finds the members and positions of any object', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
  fc.assert(
    fc.property(object, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const found = topMembers(text).map(({ nameAt, nameEnd, valueAt, valueEnd }) => [
        JSON.parse(text.slice(nameAt, nameEnd)),
        JSON.parse(text.slice(valueAt, valueEnd)),
      ]);
      expect(found).toEqual(Object.entries(JSON.parse(text)));
    }),
  );
});

it.each([
  ['{"a":1,"a":"\\"}{"', 2],
  ['{"a":1,,"b":2}', 1],
  ['{"a":[1,{"b":2}],"c":tru', 2],
  ['{"a":"x', 0],
  ['{"a":1}}', 1],
  ['["a"]', 0],
  ['', 0],
])('finds the members of a malformed text up to its first error: %s', (text, count) => {
  expect(topMembers(text)).toHaveLength(count);
});

it('handles a text of several megabytes', () => {
  const text = `{"a":"${'\\\\x'.repeat(2_000_000)}","model":"m"}`;
  const [, model] = topMembers(text);
  expect(text.slice(model?.valueAt, model?.valueEnd)).toBe('"m"');
});

it('edits keep all other characters', () => {
  const edits = [
    { at: 1, end: 2, text: 'BB' },
    { at: 3, end: 3, text: '!' },
  ];
  expect(withEdits('abcd', edits)).toBe('aBBc!d');
});
