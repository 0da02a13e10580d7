import fc from 'fast-check';
import { expect, it } from 'vitest';
import { honouredHint, ignoredHint } from './cache-hint.ts';
import { messageSchema, plainMessage } from './message-schema.ts';

const schemas = [messageSchema(honouredHint, true), messageSchema(ignoredHint, false)];
const roles = fc.constantFrom('user', 'system', 'assistant', 'tool', 'developer', '', null, 1);
const contents = fc.oneof(fc.string(), fc.constantFrom('', null, 5, [], [{ type: 'text', text: 'x' }]));
const odd = fc.dictionary(fc.constantFrom('name', 'tool_call_id', '__proto__', 'more'), contents, {
  maxKeys: 1,
  noNullPrototype: true,
});
const members = fc
  .tuple(fc.option(roles, { nil: undefined }), fc.option(contents, { nil: undefined }), odd, fc.boolean())
  .map(([role, content, more, isTurned]) => {
    const entries = Object.entries({ role, content, ...more }).filter(([, value]) => value !== undefined);
    const sorted = isTurned ? entries.toReversed() : entries;
    // Built as parsing a body does it: a name like __proto__ is an ordinary member.
    return JSON.parse(`{${sorted.map(([key, value]) => `"${key}":${JSON.stringify(value)}`).join(',')}}`);
  });
const values: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 9, arbitrary: members },
  fc.constantFrom(null, [], ['user', 'x'], 'user', 5),
);

it('the fast path returns the same as the schema, or leaves the message to the schema', () => {
  let taken = 0;
  fc.assert(
    fc.property(values, (value) => {
      const plain = plainMessage(value);
      if (plain === null) return;
      taken += 1;
      for (const schema of schemas) {
        const { success, data } = schema.safeParse(value);
        expect(success).toBe(true);
        expect(plain).toStrictEqual(data);
        expect(Object.keys(plain)).toEqual(Object.keys(data ?? {}));
      }
    }),
    { numRuns: 2_000 },
  );
  expect(taken).toBeGreaterThan(50);
});
