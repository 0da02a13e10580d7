import type { Exchange } from '../wire/exchange.ts';
import { type DrillTraffic, known, unknown } from './measure.ts';
import type { TaskRecord } from './task-load.ts';

/** Work in parallel with a loop, which receives its errors. */
export class Beside {
  readonly #open = new Set<Promise<void>>();
  #fault: { readonly error: unknown } | null = null;
  #isBusy = false;

  start(work: () => Promise<void>): void {
    const going = work()
      .catch((error: unknown) => {
        this.#fault ??= { error };
      })
      .finally(() => this.#open.delete(going));
    this.#open.add(going);
  }

  /** Runs the work, unless the previous one is still running. */
  async once(work: () => Promise<void>): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await work();
    } finally {
      this.#isBusy = false;
    }
  }

  throwIfBroken(): void {
    if (this.#fault !== null) throw this.#fault.error;
  }

  /** Resolves when no work is running. */
  async over(): Promise<void> {
    await Promise.all(this.#open);
    this.throwIfBroken();
  }
}

/** Ended tasks without their event. A text gives the reason why there were no tasks. */
export function eventsOf(tasks: readonly TaskRecord[] | string): Pick<DrillTraffic, 'lostEvents' | 'tasks'> {
  if (typeof tasks === 'string') return { lostEvents: unknown(tasks), tasks: null };
  const ended = tasks.filter(({ status }) => status !== null);
  const lost = ended.filter(({ hasEvent }) => !hasEvent);
  return {
    lostEvents: ended.length === 0 ? unknown('no task ended') : known(lost.length),
    tasks: {
      sent: tasks.length,
      accepted: tasks.filter(({ id }) => id !== null).length,
      ended: ended.length,
      failed: ended.filter(({ status }) => status !== 'SUCCESS').length,
      events: ended.length - lost.length,
    },
  };
}

/** The submissions of tasks that made nothing. */
export function failedTasks(tasks: readonly TaskRecord[]): Exchange[] {
  return tasks.flatMap(({ exchange, id, status }) =>
    id === null || (status !== null && status !== 'SUCCESS') ? [exchange] : [],
  );
}
