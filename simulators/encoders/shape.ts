/** Computes width and height from the ratio and the length of the longer side. */
export function shapeOf(ratio: string, longSide: number): [width: number, height: number] {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const shorter = Math.max(1, Math.round((longSide * Math.min(across, down)) / Math.max(across, down)));
  return across >= down ? [longSide, shorter] : [shorter, longSide];
}
