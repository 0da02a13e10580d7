import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Deadline } from './deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('aborts when its time is up, and its time stands still while paused', () => {
  const deadline = new Deadline(1_000);
  vi.advanceTimersByTime(600);
  deadline.pause();
  vi.advanceTimersByTime(10_000);
  deadline.resume();
  vi.advanceTimersByTime(399);
  expect(deadline.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(deadline.signal.aborted).toBe(true);
});

it('does not abort once it is cleared', () => {
  const deadline = new Deadline(1_000);
  deadline.clear();
  vi.advanceTimersByTime(2_000);
  expect(deadline.signal.aborted).toBe(false);
});

it('is extended by its owner’s waits for the clock', () => {
  let waitedMs = 500;
  const deadline = new Deadline(1_000, () => waitedMs);
  waitedMs = 900;
  vi.advanceTimersByTime(1_399);
  expect(deadline.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(deadline.signal.aborted).toBe(true);
});
