import type { Clock } from './clock.ts';

/**
 * The result of `act`, or null if it is not there after `leftMs`. From then on `isOver()` is true for `act`, and its result
 * is ignored.
 */
export function beforeDeadline<Result>(
  clock: Pick<Clock, 'schedule'>,
  leftMs: number,
  act: (isOver: () => boolean) => Promise<Result>,
): Promise<Result | null> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const timer = clock.schedule(Math.max(0, leftMs), () => {
      isOver = true;
      resolve(null);
    });
    const end = (settle: () => void): void => {
      timer.cancel();
      settle();
    };
    act(() => isOver).then(
      (result) => end(() => resolve(result)),
      (error: unknown) => end(() => reject(error)),
    );
  });
}
