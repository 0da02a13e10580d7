import { expect, it } from 'vitest';
import { markupOf } from './strategy.ts';

it('marks a model up as its app does, unless the app says something else of it, were it nothing', () => {
  const strategy = { markupBp: 250, modelMarkupBp: { 'beta-1': 0, 'gamma-1': -500 } };
  const markups = ['alpha-1', 'beta-1', 'gamma-1', 'toString', '__proto__'].map((model) =>
    markupOf(strategy, model),
  );
  expect(markups).toEqual([250, 0, -500, 250, 250]);
});
