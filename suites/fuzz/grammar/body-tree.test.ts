import { expect, it } from 'vitest';
import { generalOf, placeIn, placesIn, valueAt, withMember, withoutPlace, withValue } from './body-tree.ts';

const body = {
  model: 'm',
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'a' }] },
    { role: 'tool', content: 'b' },
  ],
  metadata: { own: { deep: 1 } },
};

it('names every place with its indices left open, and nothing inside of what is the caller’s own', () => {
  const places = placesIn(body);
  expect([...places.keys()]).toEqual([
    ...['model', 'messages', 'messages[]', 'messages[].role', 'messages[].content'],
    ...['messages[].content[]', 'messages[].content[].type', 'messages[].content[].text', 'metadata'],
  ]);
  expect(places.get('messages[].role')).toEqual([
    ['messages', 0, 'role'],
    ['messages', 1, 'role'],
  ]);
  expect(generalOf(placeIn('messages[0].content[3].text'))).toBe('messages[].content[].text');
});

it('changes one place and leaves the rest', () => {
  const place = placeIn('messages[0].content[0].text');
  expect(valueAt(body, place)).toBe('a');
  const changed = withValue(body, place, 7);
  expect(valueAt(changed, place)).toBe(7);
  expect(valueAt(body, place)).toBe('a');
  expect(withoutPlace(body, ['messages', 0])).toEqual({ ...body, messages: [body.messages[1]] });
  expect(withoutPlace(body, ['metadata'])).not.toHaveProperty('metadata');
});

it('gives a member of any name to the object itself', () => {
  const poisoned = withMember({}, '__proto__', { a: 1 });
  expect(Object.keys(poisoned)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(poisoned)).toBe(Object.prototype);
});
