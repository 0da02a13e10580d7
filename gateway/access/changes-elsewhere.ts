import { type Kysely, sql } from 'kysely';
import { beforeDeadline } from '../before-deadline.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../store/database.ts';
import { listenerName, type Notices, noticeChannel } from '../store/notices.ts';

/** Makes what one process changes known to the others on its database server. */
export interface ChangesElsewhere {
  /**
   * Resolves when every other process has taken up what was committed before, or after a second: one that does not
   * answer looks by itself. Never rejects.
   */
  takeUp(): Promise<void>;
}

export interface ChangesElsewhereDeps {
  readonly db: Kysely<Database>;
  readonly notices: Notices;
  /** The id of this process. */
  readonly own: string;
  /** Makes in this process what others have committed take effect. */
  readonly reload: () => Promise<void>;
  /** Real time. */
  readonly timer: Pick<Clock, 'now' | 'schedule'>;
}

/** A change is in effect everywhere within this time, even where a notice was lost. */
const withinMs = 1_000;
const changed = 'changed';
const taken = 'taken';

/** Asks by notices, and counts the answers against the processes that listen. */
export function createChangesElsewhere(deps: ChangesElsewhereDeps): ChangesElsewhere {
  const { db, notices, own, reload, timer } = deps;
  const asked = new Map<string, () => void>();
  let lastChange = 0;
  const tell = async (text: string): Promise<void> => {
    await sql`select pg_notify(${noticeChannel}, ${text})`.execute(db);
  };
  notices.onNotice((text) => {
    const [what, from = '', change = ''] = text.split(' ');
    if (what === taken && from === own) asked.get(change)?.();
    if (what !== changed || from === own) return;
    // Who could not read it gives no answer, and looks again by itself.
    void reload()
      .then(() => tell(`${taken} ${from} ${change}`))
      .catch(() => {});
  });
  const ask = async (change: string): Promise<void> => {
    let answers = 0;
    let missing = Number.POSITIVE_INFINITY;
    const { promise: all, resolve } = Promise.withResolvers<void>();
    asked.set(change, () => {
      answers += 1;
      if (answers >= missing) resolve();
    });
    const { rows } = await sql<{ listeners: bigint }>`
      select count(*) as listeners from pg_stat_activity
      where application_name = ${listenerName} and datname = current_database()`.execute(db);
    missing = Number(rows[0]?.listeners ?? 0n) - (notices.isHeard ? 1 : 0);
    if (missing <= 0) return;
    await tell(`${changed} ${own} ${change}`);
    if (notices.isHeard) await all;
  };
  return {
    takeUp: async () => {
      lastChange += 1;
      const change = `${lastChange}`;
      try {
        await beforeDeadline(timer, timer.now() + withinMs, () => ask(change));
      } catch {
        // The database is gone: the others look again as soon as they can, as this process does.
      } finally {
        asked.delete(change);
      }
    },
  };
}
