import type { Step } from '../../answers/wire-program.ts';

/**
 * How long a connection stays as it is before it breaks, ms. A client that learns of a break at the same moment as of the
 * bytes before it may never look at them; after a wait it has got them.
 */
const pauseMs = 250;

/** Steps with a pause between the last write and what ends the connection. */
export function pausedBeforeEnd(steps: readonly Step[]): Step[] {
  const writes = steps.findLastIndex((step) => step.do === 'write') + 1;
  const lastMs = steps.reduce(
    (latest, step) => (step.do === 'write' ? Math.max(latest, step.dueMs) : latest),
    0,
  );
  return [...steps.slice(0, writes), { do: 'wait', untilMs: lastMs + pauseMs }, ...steps.slice(writes)];
}
