import { factsOf } from '../oracle/world/behaviours.ts';
import { makeChange } from './change-world.ts';
import type { CallPlan, HistoryStep } from './history.ts';
import { playCall } from './play-call.ts';
import { playTogether } from './play-together.ts';
import { playable, type Stage } from './stage.ts';

/** How far from a bound a wait ends, ms. */
const marginMs = 1_000;

/**
 * Plays the steps of a history, and judges each call by the world.
 * @throws Violation
 */
export async function playSteps(stage: Stage, steps: readonly HistoryStep[]): Promise<void> {
  for (const step of steps) {
    stage.parts.cases.signal.throwIfAborted();
    switch (step.do) {
      case 'calls': {
        const plan = playable(stage, step.plan);
        for (let count = 0; plan !== null && count < step.times; count += 1) await playCall(stage, plan);
        break;
      }
      case 'together': {
        const plan = playable(stage, step.plan);
        if (plan === null) break;
        if (isHeld(plan)) await playTogether(stage, plan, step.count, step.change);
        else await playCall(stage, plan);
        break;
      }
      case 'change':
        await makeChange(stage, step.change);
        break;
      case 'wait':
        await stage.time.until(stage.time.now() + waitMs(stage, step));
    }
  }
}

/** Whether the upstream holds this call until it is released. */
function isHeld({ way, behaviour, key }: CallPlan): boolean {
  const lasts = way !== 'tasks' && way !== 'models' && way !== 'read';
  return lasts && factsOf(behaviour).isLeft !== true && key !== 'scarce';
}

/** How long a step waits by the declared breaker parameters, ms. */
export function waitMs(
  { parts }: Pick<Stage, 'parts'>,
  { bound, side }: HistoryStep & { do: 'wait' },
): number {
  const { breaker } = parts.target.profile.upstream ?? {};
  const [first = 30_000, next = first] = breaker?.cool_down_ms ?? [];
  const ms = { first, next, window: breaker?.window_ms ?? first }[bound];
  return side === 'before' ? ms - marginMs : ms + marginMs;
}
