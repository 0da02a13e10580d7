/**
 * Runs `work` one run at a time. A run in progress may have read too early for calls that arrive during it, so all of these
 * share the next run.
 */
export function sharedRuns(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    next = null;
    running = work().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (next !== null) return next;
    if (running === null) return run();
    next = running.then(run, run);
    return next;
  };
}
