import type { Clock } from '../clock.ts';

const windowMs = 1_000;

/** Counts calls by id. Tells whether an id has had more than `most` calls within this second or the last. */
export function createBusyCount(
  clock: Pick<Clock, 'monotonic'>,
  most: number,
): { add(id: string): void; isBusy(id: string): boolean } {
  let counts = new Map<string, number>();
  let before = new Map<string, number>();
  let since = clock.monotonic();
  const turn = (): void => {
    const passed = clock.monotonic() - since;
    if (passed < windowMs) return;
    before = passed < 2 * windowMs ? counts : new Map();
    counts = new Map();
    since += passed;
  };
  return {
    add: (id) => {
      turn();
      counts.set(id, (counts.get(id) ?? 0) + 1);
    },
    isBusy: (id) => {
      turn();
      return (counts.get(id) ?? 0) > most || (before.get(id) ?? 0) > most;
    },
  };
}
