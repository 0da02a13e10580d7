/**
 * How much later a wait may end that only has to be long enough, ms: checks that wait beside each other then go on at the same
 * time.
 */
export const restLateMs = 60_000;

/** The same after a deadline of a call that hangs, ms: so little that nothing else that hangs meets its own deadline. */
export function deadlineLateMs(deadlineMs: number): number {
  return deadlineMs / 10;
}
