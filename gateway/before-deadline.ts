import type { Clock } from './clock.ts';

/**
 * The result of work, or null if the deadline comes first. Then `isOver` says so to the work, and its result is
 * ignored.
 */
export async function beforeDeadline<Result>(
  clock: Pick<Clock, 'now' | 'schedule'>,
  deadlineMs: number,
  act: (isOver: () => boolean) => Promise<Result>,
): Promise<Result | null> {
  let isOver = false;
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = clock.schedule(Math.max(0, deadlineMs - clock.now()), () => {
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
