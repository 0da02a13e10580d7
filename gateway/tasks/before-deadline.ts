import type { Clock } from '../clock.ts';

/**
 * What comes of something that takes a while, or null when the deadline is earlier. Then `isOver` tells it so, and what
 * becomes of it is nobody's business any more.
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
