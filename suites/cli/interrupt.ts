/** A second interrupt within this time is the same key press, received by two processes, ms. */
const sameInterruptMs = 1_000;

/**
 * Turns SIGINT and SIGTERM into an abort, so that the judged checks are still reported. A second signal ends the process at
 * once. The end of the launching process counts as a signal too.
 */
export function catchInterrupts(): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  let first = 0;
  const onSignal = (): void => {
    if (!controller.signal.aborted) {
      first = performance.now();
      controller.abort();
    } else if (performance.now() - first > sameInterruptMs) {
      process.exit(130);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('disconnect', onSignal);
  process.channel?.unref();
  const watch = watchParent(onSignal);
  return {
    signal: controller.signal,
    release: () => {
      clearInterval(watch);
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
      process.off('disconnect', onSignal);
    },
  };
}

/** How often to check whether npm's shell still runs, ms. */
const parentCheckMs = 250;

/**
 * npm sends a signal only to the shell between itself and us. The shell dies silently, and we only see another parent.
 * Without npm, a lost parent means nothing (`gatecheck up &` in a shell that ends).
 */
function watchParent(onGone: () => void): NodeJS.Timeout | undefined {
  if (process.env.npm_command === undefined) return undefined;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onGone();
  }, parentCheckMs);
  return watch.unref();
}
