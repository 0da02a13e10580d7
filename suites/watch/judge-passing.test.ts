import { expect, it } from 'vitest';
import { watched } from './testing/passing.ts';

const page = {
  method: 'GET',
  status: 400,
  answered: { 'content-type': 'text/html' },
  answer: '<h1>No</h1>',
  at: 1,
};

it('leaves the words to whatever refuses the id of a task that no task has, and to nothing else', async () => {
  const odd = await watched([{ ...page, path: '/api/v1/tasks/a%2Fb' }], null);
  expect(odd.broken).toEqual([]);
  const plain = await watched([{ ...page, path: '/api/v1/tasks/a-b' }], null);
  expect(plain.broken.join()).toContain('ERR-002');
});
