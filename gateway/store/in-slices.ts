/** Rows passed to a writer at once: its queue is bounded. */
const slice = 1_000;

/** Runs a function for each of many items, a slice at a time. */
export async function inSlices<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < items.length; at += slice) await Promise.all(items.slice(at, at + slice).map(act));
}
