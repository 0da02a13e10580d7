import { expect, it } from 'vitest';
import { Cells } from './cells.ts';

it('names each cell of endpoint, form and upstream behaviour that no history reached', () => {
  const cells = new Cells({ behaviours: { good: 1, breaks: 1 } }, ['core']);
  for (const way of ['core', 'compat', 'images', 'models', 'read'] as const)
    cells.add({ way, stream: false, behaviour: 'good' });
  cells.add({ way: 'core', stream: true, behaviour: 'breaks' });
  expect(cells.empty).toEqual(['core, stream: good', 'tasks: good']);
  expect(cells.summary).toContain('6 of 8 cells');
  cells.add({ way: 'core', stream: true, behaviour: 'good' });
  cells.add({ way: 'tasks', stream: false, behaviour: 'good' });
  expect(cells.empty).toEqual([]);
});
