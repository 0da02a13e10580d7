import { expect, it } from 'vitest';
import { OutcomeWindow } from './outcome-window.ts';

it('keeps a limited number of the latest outcomes, with the right share of failures', () => {
  const window = new OutcomeWindow(1_000_000);
  for (let i = 0; i < 50_000; i += 1) window.add(true, i);
  expect(window.failurePercent(1000, 50_000)).toBe(100);
  expect(window.failurePercent(1001, 50_000)).toBeNull();
  for (let i = 0; i < 750; i += 1) window.add(false, 50_000);
  expect(window.failurePercent(1, 50_000)).toBe(25);
});

it('forgets an outcome at exactly the age of the window', () => {
  const window = new OutcomeWindow(100);
  window.add(true, 0);
  window.add(false, 1);
  expect(window.failurePercent(1, 99)).toBe(50);
  expect(window.failurePercent(1, 100)).toBe(0);
  expect(window.failurePercent(1, 101)).toBeNull();
});
