import { isTerminal, type TaskRecord } from './task-answer.ts';
import { type TaskRead, TaskTrace } from './trace.ts';

/** The observed reads of each task, up to a limit. The least recently read tasks are forgotten. */
export class TaskTraces {
  readonly #most: number;
  readonly #traces = new Map<string, { readonly trace: TaskTrace; reads: number }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether a read of this task has passed. */
  isAgain(id: string): boolean {
    return this.#traces.has(id);
  }

  /** The last read of a task that had ended; null where none passed. */
  endOf(id: string): TaskRecord | null {
    return this.readsOf(id).findLast(({ record }) => isTerminal(record.status))?.record ?? null;
  }

  /** The reads of a task that are kept. */
  readsOf(id: string): readonly TaskRead[] {
    return this.#traces.get(id)?.trace.reads ?? [];
  }

  /**
   * Compares a read with earlier ones.
   * @throws Violation when they contradict each other.
   */
  add(id: string, read: Omit<TaskRead, 'reader'>): void {
    const known = this.#traces.get(id) ?? { trace: new TaskTrace(), reads: 0 };
    this.#traces.delete(id);
    this.#traces.set(id, known);
    const [oldest] = this.#traces.keys();
    if (this.#traces.size > this.#most && oldest !== undefined) this.#traces.delete(oldest);
    known.reads += 1;
    // Each read is compared with all earlier ones. A trace restarts after many reads, so a task can be read for days.
    if (known.reads > mostReads) this.#traces.set(id, { trace: new TaskTrace(), reads: 1 });
    const { trace } = this.#traces.get(id) ?? known;
    // Different credentials may read one task, so the order must hold across all readers.
    trace.add({ ...read, reader: 'client' });
    trace.thin();
  }
}

const mostReads = 100;
