/** So many times of the pieces of a body are remembered. */
const most = 40;

/** The first and the last of many times, and some evenly between them. */
export function sampledTimes(times: readonly number[]): number[] {
  const step = Math.max(1, (times.length - 1) / (most - 1));
  return Array.from({ length: Math.min(times.length, most) }, (_, at) => times[Math.round(at * step)] ?? 0);
}
