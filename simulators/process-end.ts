/** Has a process of this room end on a signal, and with `exitWithStdin` also when its stdin does: the leash of whoever started it. */
export function endOn(stop: () => void, exitWithStdin: boolean): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  if (exitWithStdin) process.stdin.once('end', stop).once('error', stop).resume();
}

/** Says why a process cannot go on, and lets it end with this code. */
export function exitWith(code: number, message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
}
