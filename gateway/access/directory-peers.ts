import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { directoryChanged } from '../store/change-directory.ts';
import type { Database } from '../store/database.ts';
import {
  directoryRead,
  forgetReader,
  listReader,
  readBehind,
  readStand,
  tellRead,
} from '../store/directory-readers.ts';
import type { Notices } from '../store/server-session.ts';
import type { LeaseHolders } from './gone-leases.ts';

/**
 * How long a process may use the keys in memory before it must ask the database again. A process that does not confirm a
 * change asks again after this time, so others wait no longer for it.
 */
export const directoryLeaseMs = 2_000;
/** Clocks of two machines may run at slightly different speeds. */
const slackMs = 100;
/** Allowance for two machines whose clocks run at slightly different speeds. */
const lookAgainMs = 50;

/** The other processes that keep the directory of one database in memory. */
export interface DirectoryPeers {
  /** Lists this process, so that others wait for it. */
  join(): Promise<void>;
  /** The current revision, and the revision that this process reported last (null if the database has none). */
  stand(): Promise<{ readonly revision: bigint; readonly told: bigint | null }>;
  /** Reports to the others which revision is in effect here. */
  tell(revision: bigint): Promise<void>;
  /** Calls `look` whenever this or another process has changed something. */
  onChange(look: () => void): void;
  /** Resolves when no live process uses anything older than the revision. Never rejects. */
  allHave(revision: bigint): Promise<void>;
  leave(): Promise<void>;
}

export interface DirectoryPeersDeps {
  readonly db: Kysely<Database>;
  readonly notices: Pick<Notices, 'onNotice'>;
  /** The id of this process, and which of the others are gone. */
  readonly instances: LeaseHolders;
  /** Real time, not the test clock. */
  readonly timer: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** The processes that share a database server, by a list in the database and by notices. */
export function createDirectoryPeers({
  db,
  notices,
  instances,
  timer,
  log,
}: DirectoryPeersDeps): DirectoryPeers {
  const waiting = new Set<() => void>();
  notices.onNotice((text) => {
    if (text === directoryRead) for (const wake of [...waiting]) wake();
  });
  const heard = (): { readonly heard: Promise<void>; giveUp(): void } => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => {
      waiting.delete(wake);
      again.cancel();
      resolve();
    };
    const again = timer.schedule(lookAgainMs, wake);
    waiting.add(wake);
    return { heard: promise, giveUp: wake };
  };
  /**
   * Processes that have not confirmed the revision, which are waited for until their lease is over; null if the database
   * cannot be asked.
   */
  const stillBehind = async (revision: bigint): Promise<readonly string[] | null> =>
    readBehind(db, instances.own, revision).catch(() => null);
  const forgetGone = (silent: readonly string[], revision: bigint): Promise<void> =>
    instances.forEachGone(silent, (gone) => forgetReader(db, gone, revision)).catch(() => {});

  return {
    join: () => listReader(db, instances.own),
    stand: () => readStand(db, instances.own),
    tell: (revision) => tellRead(db, instances.own, revision),
    onChange: (look) => {
      notices.onNotice((text) => {
        if (text === directoryChanged) look();
      });
    },
    allHave: async (revision) => {
      const until = timer.monotonic() + directoryLeaseMs + slackMs;
      for (;;) {
        // Listen before the query, so that no notice falls between the two.
        const next = heard();
        const behind = await stillBehind(revision);
        if (behind?.length === 0) return next.giveUp();
        if (timer.monotonic() >= until) {
          next.giveUp();
          log.warn({ silent: behind }, 'processes did not confirm a change in time');
          return forgetGone(behind ?? [], revision);
        }
        await next.heard;
      }
    },
    leave: () => forgetReader(db, instances.own),
  };
}
