import { expect, it } from 'vitest';
import { markupOf } from './strategy.ts';

it('uses the markup of the app, unless the model has its own, even zero', () => {
  const strategy = { markupBp: 250, modelMarkupBp: { 'beta-1': 0, 'gamma-1': -500 } };
  const markups = ['alpha-1', 'beta-1', 'gamma-1', 'toString', '__proto__'].map((model) =>
    markupOf(strategy, model),
  );
  expect(markups).toEqual([250, 0, -500, 250, 250]);
});
