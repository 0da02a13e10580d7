import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CheckIsOver, tellsOfEnd } from './check-is-over.ts';

it('recognizes errors that only report the end of a check, also from a timer', async () => {
  const over = new AbortController();
  const waiting = wait(60_000, undefined, { signal: over.signal }).catch((error: unknown) => error);
  over.abort(new CheckIsOver());
  expect(tellsOfEnd(new CheckIsOver())).toBe(true);
  expect(tellsOfEnd(await waiting)).toBe(true);
});

it.each([new Error('the check is over'), new Error('a', { cause: new Error('b') }), null, 'over', {}])(
  'takes %s for a fault',
  (error) => {
    expect(tellsOfEnd(error)).toBe(false);
  },
);
