import type { Check } from '../../suites/engine/check.ts';

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

/** A check that takes longer is not for a first look, ms. */
const longestMs = 8_000;

/**
 * The checks for a first look: in their order, but those that take long, or hold up all others by moving the clock, last.
 */
export function shortFirst(checks: readonly Check[], msOf: (id: string) => number): Check[] {
  const isShort = ({ id, clock }: Check): boolean => clock === undefined && msOf(id) <= longestMs;
  return [...checks.filter(isShort), ...checks.filter((check) => !isShort(check))];
}
