/** The first, the last, and evenly distributed items between them: `most` in all. */
export function sampled<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  const step = (all.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, at) => all[Math.round(at * step)] as T);
}
