/** How many items at the beginning of a list satisfy a condition that no item behind them does, by halving. */
export function countWhile<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(items[middle] as T)) from = middle + 1;
    else to = middle;
  }
  return from;
}
