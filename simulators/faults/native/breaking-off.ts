import type { Step } from '../../answers/wire-program.ts';
import type { FaultContext } from '../../fault-contract/fault.ts';

/** The pause before a connection breaks, ms. A client may lose bytes that arrive together with the break. */
const pauseMs = 250;

/** Steps with a pause between the last write and the end of the connection. */
export function pausedBeforeEnd(steps: readonly Step[], { waitMs }: Pick<FaultContext, 'waitMs'>): Step[] {
  const writes = steps.findLastIndex((step) => step.do === 'write') + 1;
  const lastMs = steps.reduce(
    (latest, step) => (step.do === 'write' ? Math.max(latest, step.dueMs) : latest),
    0,
  );
  return [
    ...steps.slice(0, writes),
    { do: 'wait', untilMs: lastMs + (waitMs ?? pauseMs) },
    ...steps.slice(writes),
  ];
}
