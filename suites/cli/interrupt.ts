/** A second interrupt sooner than this is the same key press, seen by two processes, ms. */
const sameInterruptMs = 1_000;

/**
 * Turns SIGINT and SIGTERM into an abort, so that what has been judged is still reported. A second one ends at once.
 * So does the end of the process that launched this one, however it ended.
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

/** How often to look whether npm's shell is still there, ms. */
const parentCheckMs = 250;

/**
 * npm gives a signal to the shell between itself and us, which dies of it without a word: all that reaches us is
 * another parent. Without npm in between, losing the parent means nothing (`gatecheck up &` in a shell that ends).
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
