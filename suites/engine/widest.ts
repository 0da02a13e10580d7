/** The cells that a generated case reaches, and how many calls it takes. */
export interface Reach {
  readonly cells: readonly string[];
  readonly calls: number;
}

/** How many cases are drawn for each one that runs. */
export const drawnForOne = 8;

/** The share of the drawn cases, those with the fewest calls, that never run: defects that need a long history stay findable. */
const tooShort = 1 / 3;

/**
 * Chooses the cases that reach most cells for their calls, given those already chosen. Cells that no earlier one reached count,
 * so that a run with few cases covers a fifth more of them with hardly more calls.
 */
export function chooseWidest<T>(
  drawn: readonly T[],
  count: number,
  reachOf: (value: T) => Reach,
  before: readonly T[],
): T[] {
  const seen = new Set(before.flatMap((value) => reachOf(value).cells));
  const known = drawn.map((value) => ({ value, ...reachOf(value) }));
  const left = new Set(
    known.sort((a, b) => a.calls - b.calls).slice(Math.min(known.length * tooShort, known.length - count)),
  );
  return Array.from({ length: count }, () => {
    const [best] = [...left]
      .map((one) => ({ one, share: newCells(one.cells, seen) / Math.max(1, one.calls) }))
      .sort((a, b) => b.share - a.share);
    if (best === undefined) throw new Error(`${count} cases are more than the ${drawn.length} drawn ones`);
    left.delete(best.one);
    for (const cell of best.one.cells) seen.add(cell);
    return best.one.value;
  });
}

function newCells(cells: readonly string[], seen: ReadonlySet<string>): number {
  return new Set(cells.filter((cell) => !seen.has(cell))).size;
}
