/** The quantile of the numbers for this fraction; 0 without numbers. */
export function percentile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** The slope of a line through points, by least squares; 0 for fewer than two. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  if (points.length < 2) return 0;
  const [meanX, meanY] = [mean(0), mean(1)];
  const [above, below] = points.reduce<[number, number]>(
    ([products, squares], [x, y]) => [products + (x - meanX) * (y - meanY), squares + (x - meanX) ** 2],
    [0, 0],
  );
  return below === 0 ? 0 : above / below;
}
