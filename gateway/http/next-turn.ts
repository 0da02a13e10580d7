/** Work on bodies up to this size costs too little for a pause. */
export const smallBytes = 64 * 1024;

/** Lets everything else that waits for the event loop go first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Does work that yields between its pieces, with a pause after each of them. */
export async function inTurns<Result>(
  work: Generator<void, Result>,
  pause: () => Promise<void>,
): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await pause();
  }
}
