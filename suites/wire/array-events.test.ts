import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ArrayItems, eventOf } from './array-events.ts';

it('splits an array into its items, wherever its bytes are cut', () => {
  const item = fc.record({
    text: fc.string({ unit: 'grapheme' }),
    parts: fc.array(fc.object({ maxDepth: 2 })),
  });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 5 }), fc.nat(), fc.boolean(), (all, cut, isPretty) => {
      const bytes = Buffer.from(JSON.stringify(all, null, isPretty ? 2 : 0));
      const at = cut % (bytes.length + 1);
      const items = new ArrayItems();
      const found = [...items.push(bytes.subarray(0, at)), ...items.push(bytes.subarray(at))];
      expect(found.map((text) => JSON.parse(eventOf(text).slice('data: '.length)))).toEqual(
        JSON.parse(JSON.stringify(all)),
      );
    }),
  );
});
