import type { Kysely } from 'kysely';
import type { Database } from '../../store/database.ts';
import { QUEUE_SCHEMA } from '../../tasks/step-queue.ts';
import type { FakeWork } from './sample-tasks.ts';

// For tests only.

/** A kind of call that has been stopped: `begun` says that one was made. */
export interface Stopped {
  readonly begun: Promise<void>;
  readonly gate: PromiseWithResolvers<void>;
}

/** Lets one kind of call be begun, and not ended before the gate opens. */
export function stopWork(stopped: 'start' | 'settle', on: FakeWork): Stopped {
  const [gate, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  on.before = (what) => {
    if (what !== stopped) return Promise.resolve();
    reached.resolve();
    return gate.promise;
  };
  return { begun: reached.promise, gate };
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

/** How many jobs the queue has. */
export async function countJobs(db: Kysely<Database>): Promise<number> {
  const { rows } = await db.executeQuery<{ count: bigint }>(
    db
      .withSchema(QUEUE_SCHEMA)
      .selectFrom('job' as never)
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .compile(),
  );
  return Number(rows[0]?.count);
}

/** Empties the queue, as nobody ever should. */
export async function loseJobs(db: Kysely<Database>): Promise<void> {
  await db
    .withSchema(QUEUE_SCHEMA)
    .deleteFrom('job' as never)
    .execute();
}
