/** Works on all items, so many at a time: when one is done, the next begins. Nothing begins once the signal is aborted. */
export async function inSlots<T>(
  items: readonly T[],
  { slots, signal }: { readonly slots: number; readonly signal: AbortSignal },
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const one = async (): Promise<void> => {
    for (const item of queue) {
      if (signal.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: slots }, one));
}
