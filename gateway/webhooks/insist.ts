import type { Clock } from '../clock.ts';

const FIRST_MS = 250;
const MOST_MS = 30_000;

/** Does something again until it succeeds, with growing waits. Null when `gone` aborts first; never rejects. */
export async function insist<Result>(
  timer: Pick<Clock, 'sleep'>,
  gone: AbortSignal,
  act: () => Promise<Result>,
  onFailure: (error: unknown) => void,
): Promise<{ readonly result: Result } | null> {
  for (let waitMs = FIRST_MS; !gone.aborted; waitMs = Math.min(2 * waitMs, MOST_MS)) {
    try {
      return { result: await act() };
    } catch (error) {
      if (gone.aborted) return null;
      onFailure(error);
      await timer.sleep(waitMs, gone).catch(() => {});
    }
  }
  return null;
}
