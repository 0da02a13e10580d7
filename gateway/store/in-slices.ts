/** Rows that are handed to a writer at once: its queue has an end. */
const slice = 1_000;

/** Does the same for each of many, so many at once. */
export async function inSlices<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < items.length; at += slice) await Promise.all(items.slice(at, at + slice).map(act));
}
