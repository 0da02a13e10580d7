import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { type Repeated, repeat } from '../work/repeat.ts';

export interface DescriptorWatch {
  /** Opens a file and closes it again. */
  readonly tryOpen: () => Promise<void>;
  readonly timer: Pick<Clock, 'monotonic' | 'schedule'>;
  readonly onExhausted: () => void;
  readonly log: Pick<Logger, 'error' | 'info'>;
}

const everyMs = 1_000;
const logEveryMs = 60_000;

/**
 * Checks every second whether a file descriptor is free. Without one, the system accepts and closes connections, and the
 * server gets no event about it.
 */
export function watchDescriptors({ tryOpen, timer, onExhausted, log }: DescriptorWatch): Repeated {
  let saidAtMs: number | null = null;
  let isExhausted = false;
  const look = async (): Promise<void> => {
    const code = await tryOpen().then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code ?? 'unknown',
    );
    const wasExhausted = isExhausted;
    isExhausted = code === 'EMFILE' || code === 'ENFILE';
    if (wasExhausted && !isExhausted) log.info('file descriptors are free again');
    if (!isExhausted) return;
    onExhausted();
    if (saidAtMs !== null && timer.monotonic() - saidAtMs < logEveryMs) return;
    saidAtMs = timer.monotonic();
    log.error({ code }, 'no file descriptor is free: connections are dropped; raise the limit (ulimit -n)');
  };
  return repeat(timer, everyMs, look, () => {});
}
