import type { Kysely } from 'kysely';
import { RealClock } from '../../clock.ts';
import type { Database } from '../../store/database.ts';
import { createTasks, type RunningTasks, type TasksParts } from '../../tasks/create-tasks.ts';
import { createSoleInstance } from '../../work/instances.ts';
import { silentLog } from '../store/test-stores.ts';
import { type FakeWork, limits, noEvents } from './sample-tasks.ts';

// For tests only.

/** Tasks of processes over one database, and stopped calls; all are ended together. */
export class TasksBench {
  readonly #opened: RunningTasks[] = [];
  readonly #gates: PromiseWithResolvers<void>[] = [];

  /** Opens tasks as the only process on the database; unfinished tasks of earlier processes are left over. */
  async open(parts: Pick<TasksParts, 'db' | 'work' | 'clock'> & Partial<TasksParts>): Promise<RunningTasks> {
    const tasks = createTasks({
      instances: createSoleInstance(`gw_${this.#opened.length}`),
      events: noEvents,
      limits: limits,
      timer: new RealClock(),
      removeOldFiles: async () => {},
      log: silentLog,
      ...parts,
    });
    await tasks.open();
    this.#opened.push(tasks);
    return tasks;
  }

  /** Stops one kind of call after its start, until the gate opens or the test is over. */
  stopAt(stopped: Parameters<FakeWork['before']>[0], on: FakeWork): Stopped {
    const [gate, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    on.before = (what) => {
      if (what !== stopped) return Promise.resolve();
      reached.resolve();
      return gate.promise;
    };
    this.#gates.push(gate);
    return { begun: reached.promise, gate };
  }

  async close(): Promise<void> {
    for (const gate of this.#gates.splice(0)) gate.resolve();
    await Promise.all(this.#opened.map((tasks) => tasks.close()));
  }
}

/** A kind of call that has been stopped: `begun` resolves when one was made. */
export interface Stopped {
  readonly begun: Promise<void>;
  readonly gate: PromiseWithResolvers<void>;
}

/** Makes a hold for a request, as if a process had just done so. */
export async function holdFor(db: Kysely<Database>, requestId: string): Promise<void> {
  const row = {
    request_id: requestId,
    account_id: 'acc',
    amount_pico: 1n,
    holder: 'gw_x',
    held_at: new Date(),
  };
  await db.insertInto('open_holds').values(row).execute();
}
