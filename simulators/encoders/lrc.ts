/** Timed lyrics: a line every four seconds of a song. */
export function renderLrc(title: string, seconds: number, lines: readonly string[]): Buffer {
  const timed = lines
    .map((line, at) => [at * 4, line] as const)
    .filter(([at]) => at < Math.max(seconds, 1))
    .map(([at, line]) => `[${two(Math.floor(at / 60))}:${two(at % 60)}.00]${line}`);
  const length = `${two(Math.floor(seconds / 60))}:${two(Math.round(seconds % 60))}`;
  return Buffer.from([`[ti:${title}]`, `[length:${length}]`, ...timed, ''].join('\n'));
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
