/**
 * Ends the process on a signal. With `exitWithStdin` it also ends when its stdin closes, and so with its parent
 * process.
 */
export function endOn(stop: () => void, exitWithStdin: boolean): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  if (exitWithStdin) process.stdin.once('end', stop).once('error', stop).resume();
}

/** Prints why the process cannot continue, and sets its exit code. */
export function exitWith(code: number, message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
}
