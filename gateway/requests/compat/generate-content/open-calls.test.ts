import { expect, it } from 'vitest';
import { OpenCalls } from './open-calls.ts';

const call = (id: string, name: string, hasOwnId = true) => ({ id, name, hasOwnId, at: id });

it('matches a result to the call with its id, or else to the first call with its name', () => {
  const calls = new OpenCalls();
  for (const one of [call('a', 'f'), call('b', 'f'), call('c', 'g', false), call('d', 'f', false)])
    calls.add(one);
  expect(calls.answer({ id: 'b', name: 'f' })?.id).toBe('b');
  expect(calls.answer({ id: 'x', name: 'f' })?.id).toBe('d');
  expect(calls.answer({ id: null, name: 'f' })?.id).toBe('a');
  expect(calls.answer({ id: null, name: 'f' })).toBeNull();
  expect(calls.close()).toMatchObject([{ id: 'c' }]);
  expect(calls.answer({ id: null, name: 'g' })).toBeNull();
});

it('finds a call among very many at once, in any order of results', () => {
  const calls = new OpenCalls();
  const count = 150_000;
  for (let i = 0; i < count; i += 1) calls.add(call(`id-${i}`, 'f', i % 2 === 0));
  // A scan of all waiting calls for each result would take minutes.
  for (let i = count - 1; i >= 0; i -= 1) {
    if (calls.answer(i % 2 === 0 ? { id: `id-${i}`, name: 'f' } : { id: null, name: 'f' }) === null)
      throw new Error(`no call for result ${i}`);
    if (i === count / 2) break;
  }
  expect(calls.close()).toHaveLength(count / 2);
});
