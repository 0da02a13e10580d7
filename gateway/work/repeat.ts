import type { Clock } from '../clock.ts';

/** A periodic task. */
export interface Repeated {
  begin(): void;
  /** Resolves when no run is in progress any more. */
  stop(): Promise<void>;
}

/** Repeated work that can look whether it is to stop. */
export interface Repeating extends Repeated {
  readonly isStopped: boolean;
}

/** Runs at once, and then `everyMs` after each run. Of several failures in a row only the first is reported. */
export function repeat(
  timer: Pick<Clock, 'schedule'>,
  everyMs: number,
  act: () => Promise<void>,
  onFailure: (error: unknown) => void,
): Repeating {
  let next: { cancel(): void } | null = null;
  let isStopped = false;
  let isFailing = false;
  let running: Promise<void> = Promise.resolve();

  const once = async (): Promise<void> => {
    try {
      await act();
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isStopped) onFailure(error);
      isFailing = true;
    }
    if (!isStopped) next = timer.schedule(everyMs, begin);
  };
  const begin = (): void => {
    running = once();
  };
  return {
    begin,
    get isStopped() {
      return isStopped;
    },
    stop: async () => {
      isStopped = true;
      next?.cancel();
      await running;
    },
  };
}
