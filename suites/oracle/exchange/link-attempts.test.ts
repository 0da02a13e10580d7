import { expect, test } from 'vitest';
import { type Linkable, linkAttempts, type MarkedAttempt } from './link-attempts.ts';

function call(marks: string, fromMs: number): Linkable {
  return { marks, fromMs, toMs: fromMs + 10 };
}

function attempt(marks: string, at: number): MarkedAttempt {
  return {
    ...{
      marks,
      channel: 'a',
      path: '/',
      isWhole: true,
      status: 200,
      ended: 'complete',
      sends: [],
      credential: '',
    },
    ...{ body: Buffer.alloc(0), answer: Buffer.alloc(0), received: { min: at, max: at } },
  };
}

function linkedTo(calls: readonly Linkable[], attempts: readonly MarkedAttempt[]): (number | null)[] {
  const linked = linkAttempts(calls, attempts);
  return calls.map((one) => linked.get(one)?.length ?? null);
}

test('attempts belong to the call with their marks that ran when they arrived', () => {
  const calls = [call('x', 0), call('x', 100), call('y', 0)];
  expect(linkedTo(calls, [attempt('x', 5), attempt('y', 5)])).toEqual([1, 0, 1]);
});

test('without marks, or with attempts outside every call, nothing is certain', () => {
  expect(linkedTo([call('', 0)], [attempt('', 5)])).toEqual([null]);
  expect(linkedTo([call('x', 0)], [attempt('x', 50)])).toEqual([null]);
});

test('of equal calls with enough attempts for all, one may have those of another that has none', () => {
  const calls = [call('x', 0), call('x', 100), call('x', 200)];
  const some = [105, 106, 205].map((at) => attempt('x', at));
  expect(linkedTo(calls.slice(0, 2), some.slice(0, 2))).toEqual([null, null]);
  expect(linkedTo(calls, some)).toEqual([null, null, 1]);
  expect(linkedTo(calls.slice(0, 2), some.slice(0, 1))).toEqual([0, 1]);
});

test('attempts without marks may belong to any call that ran then', () => {
  expect(linkedTo([call('x', 0)], [attempt('', 5)])).toEqual([null]);
  expect(linkedTo([call('x', 0)], [attempt('', 500)])).toEqual([0]);
});
