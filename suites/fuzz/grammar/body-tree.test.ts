import { expect, it } from 'vitest';
import { noJson } from '../damages/damage.ts';
import {
  generalOf,
  placeIn,
  placesIn,
  textAt,
  valueAt,
  withMember,
  withoutPlace,
  withValue,
} from './body-tree.ts';
import { MemberList, printBody } from './raw-json.ts';

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

it('reaches into an object that has a member twice', () => {
  const twice = new MemberList([
    ['a', 1],
    ['a', 2],
  ]);
  expect(printBody(withValue(twice, ['b'], 7)).toString()).toBe('{"a":1,"a":2,"b":7}');
  expect(printBody(withValue(twice, ['a'], 7)).toString()).toBe('{"a":7,"a":7}');
});

it('tells what stands at a place, what no path leads into, and what is missing', () => {
  const listed = withValue(body, ['metadata'], new MemberList([[noJson('own'), 1]]));
  expect(textAt(body, ['messages', 1, 'content'])).toBe('"b"');
  expect(textAt(listed, ['metadata', 'own'])).toBe('{own:1}');
  expect(textAt(withValue(body, ['metadata'], { other: 1 }), ['metadata', 'own'])).toBe(
    'nothing below 1 of metadata.own',
  );
  expect(textAt(withoutPlace(body, ['metadata']), ['metadata', 'own'])).toBe(
    'nothing below 0 of metadata.own',
  );
});
