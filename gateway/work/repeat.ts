import type { Clock } from '../clock.ts';

/** Something that is done again and again. */
export interface Repeated {
  begin(): void;
  /** Resolves when it is not being done any more. */
  stop(): Promise<void>;
}

/** Does it at once and then `everyMs` after the time before; of failures in a row only the first one is told. */
export function repeat(
  timer: Pick<Clock, 'schedule'>,
  everyMs: number,
  act: () => Promise<void>,
  onFailure: (error: unknown) => void,
): Repeated {
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
    stop: async () => {
      isStopped = true;
      next?.cancel();
      await running;
    },
  };
}
