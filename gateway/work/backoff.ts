import type { Clock } from '../clock.ts';

const firstWaitMs = 250;
const longestWaitMs = 30_000;

/** The wait after the `nth` failure in a row, counted from 0: `firstMs`, doubling up to `maxMs`. */
export function backoffMs(nth: number, firstMs = firstWaitMs, maxMs = longestWaitMs): number {
  return Math.min(firstMs * 2 ** Math.min(nth, 30), Math.max(firstMs, maxMs));
}

/** Retries until it succeeds, with exponential backoff. Null if `gone` aborts first; never rejects. */
export async function untilDone<Result>(
  timer: Pick<Clock, 'sleep'>,
  gone: AbortSignal,
  act: () => Promise<Result>,
  onFailure: (error: unknown) => void = () => {},
): Promise<{ readonly result: Result } | null> {
  for (let nth = 0; !gone.aborted; nth += 1) {
    try {
      return { result: await act() };
    } catch (error) {
      if (gone.aborted) return null;
      onFailure(error);
      await timer.sleep(backoffMs(nth), gone).catch(() => {});
    }
  }
  return null;
}
