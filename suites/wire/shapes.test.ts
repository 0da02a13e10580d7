import { expect, it } from 'vitest';
import { sampleCompletion } from '../testing/sample-answers.ts';
import { shapeFault } from './shapes.ts';

it('finds no error in a conforming answer', () => {
  expect(shapeFault('chat-completion', sampleCompletion())).toBeNull();
});

it('points at a member of the wrong type', () => {
  expect(shapeFault('chat-completion', { ...sampleCompletion(), id: 5 })?.path).toBe('/id');
});

it('points at a missing member', () => {
  const { usage: _, ...rest } = sampleCompletion();
  expect(shapeFault('chat-completion', rest)?.path).toBe('/usage');
  expect(shapeFault('error', { error: { type: 'api_error', message: 'x' } })?.path).toBe('/error/code');
});

it('points at the whole value when it is no object', () => {
  expect(shapeFault('error', [])?.path).toBe('');
});
