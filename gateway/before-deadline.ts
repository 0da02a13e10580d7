import type { Clock } from './clock.ts';

/**
 * The result of work, or null if `leftMs` are over first. Then `isOver` says so to the work, and its result is
 * ignored.
 */
export async function beforeDeadline<Result>(
  clock: Pick<Clock, 'schedule'>,
  leftMs: number,
  act: (isOver: () => boolean) => Promise<Result>,
): Promise<Result | null> {
  let isOver = false;
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = clock.schedule(Math.max(0, leftMs), () => {
    isOver = true;
    resolve(null);
  });
  const acting = act(() => isOver);
  acting.catch(() => {});
  try {
    return await Promise.race([acting, late]);
  } finally {
    timer.cancel();
  }
}
