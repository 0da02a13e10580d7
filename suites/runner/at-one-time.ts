import type { CheckFacts } from '../engine/check.ts';
import type { Timeline } from '../engine/lockstep.ts';
import type { ClockUse } from './clock-lock.ts';
import type { StackState, TargetState } from './stack-state.ts';

/** How often the clocks of a stack are aligned for a job before it runs with unaligned clocks. */
const maxAlignments = 3;

/** The clocks that a job runs on: those of its stack, and of its target. */
export interface JobClocks {
  readonly stack: Pick<StackState, 'clockLock'>;
  readonly state: Pick<TargetState, 'time'>;
}

/**
 * Holds the clocks of the stack while a check runs, in the way its check uses them. Several gateways on the same simulators
 * have their own clocks. A clock that lags behind the simulators is aligned first, while nothing else runs.
 * @param work gets the timeline of a check that moves the clock together with others
 */
export async function atOneTime<T>(
  { stack, state: { time } }: JobClocks,
  clock: CheckFacts['clock'],
  work: (timeline: Timeline | null) => Promise<T>,
): Promise<T> {
  const isMoved = clock === 'jump' && time !== null;
  const use: ClockUse = isMoved ? { together: time.lockstep } : clock === 'alone' ? 'alone' : 'read';
  for (let tries = 0; ; tries += 1) {
    const done = await stack.clockLock.hold(use, async () => {
      const timeline = isMoved ? await time.lockstep.join() : null;
      try {
        const isTogether = time === null || (await time.clock.ping()) || tries === maxAlignments;
        return isTogether ? { result: await work(timeline) } : null;
      } finally {
        timeline?.leave();
      }
    });
    if (done !== null) return done.result;
    await stack.clockLock.hold('alone', async () => time?.clock.align());
  }
}
