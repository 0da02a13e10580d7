/**
 * Ends the process on a signal. With `exitWithStdin` it also ends when its stdin closes, and so with its parent
 * process.
 */
export function endOn(stop: () => void, exitWithStdin: boolean): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  if (process.env.npm_command !== undefined) onNewParent(stop);
  if (exitWithStdin) process.stdin.once('end', stop).once('error', stop).resume();
}

/** How often to check whether npm's shell still runs, ms. */
const parentCheckMs = 250;

/** npm passes a signal only to the shell that it started. The shell dies silently, and we only get another parent. */
function onNewParent(stop: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, parentCheckMs);
  watch.unref();
}

/** Prints why the process cannot continue, and sets its exit code. */
export function exitWith(code: number, message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
}
