import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Database } from '../store/database.ts';
import { inSlices } from '../store/in-slices.ts';
import { tasksHolder } from '../store/ledger-tables.ts';
import type { Instances } from '../work/instances.ts';
import type { LiveRequests } from './live-requests.ts';
import { decodeText } from './stored-text.ts';

export interface HoldReaperDeps {
  readonly db: Kysely<Database>;
  readonly instances: Instances;
  readonly timer: Pick<Clock, 'schedule'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** The requests of this process that are in flight. */
  readonly live: Pick<LiveRequests, 'watch'>;
  /** Releases the hold of a request, if it still has one. */
  readonly release: (requestId: string) => Promise<unknown>;
}

/** Releases orphaned holds: those of processes that are gone, and those left by a failed write of this process. */
export interface HoldReaper {
  /** Runs the first check, then checks periodically. */
  open(): Promise<void>;
  /** Reports a failed write, which may leave an orphaned hold. Checks soon, and again until a check succeeds. */
  expect(): void;
  /** Stops the periodic checks. Checks once more if a write has failed since the last successful check. */
  close(): Promise<void>;
}

/** The first wait after a failure; it doubles after every further one. */
const soonMs = 1_000;
/**
 * The wait between two checks where several processes share a database, so that the credit of a dead process is soon free.
 */
const everyMs = 2_000;
/** The maximum wait after failures. */
const longestMs = 30_000;

export function createHoldReaper(deps: HoldReaperDeps): HoldReaper {
  const { timer, log, instances } = deps;
  let waitMs = soonMs;
  let next: { cancel(): void } | null = null;
  /** Whether the next check was scheduled by a failure. It is then soon enough for a further failure. */
  let isSoon = false;
  let looking: Promise<void> | null = null;
  /** Whether a write has failed since the last successful check began. */
  let isExpected = false;
  let isClosed = false;

  const pollIn = (delayMs: number): void => {
    next?.cancel();
    next = isClosed ? null : timer.schedule(delayMs, begin);
    isSoon = false;
  };
  const pollSoon = (): void => {
    if (isSoon) return;
    pollIn(waitMs);
    isSoon = true;
  };
  /** Plans the periodic check. */
  const pollAgain = (): void => {
    if (instances.isShared) pollIn(everyMs);
  };
  const begin = (): void => {
    isSoon = false;
    looking = poll().finally(() => {
      looking = null;
    });
  };
  const poll = async (): Promise<void> => {
    isExpected = false;
    try {
      await releaseOrphans(deps);
      waitMs = soonMs;
      if (isExpected) pollSoon();
      else pollAgain();
    } catch (error) {
      isExpected = true;
      log.warn({ err: error }, 'holds that were left over are given back later');
      pollSoon();
      waitMs = Math.min(2 * waitMs, longestMs);
    }
  };
  return {
    open: async () => {
      await instances.join();
      await releaseOrphans(deps);
      pollAgain();
    },
    expect: () => {
      isExpected = true;
      if (looking === null) pollSoon();
    },
    close: async () => {
      isClosed = true;
      next?.cancel();
      await looking;
      if (isExpected) await poll();
      await instances.leave();
    },
  };
}

async function releaseOrphans({ db, instances, log, live, release }: HoldReaperDeps): Promise<void> {
  const releaseAll = async (holder: string, isOrphan: (requestId: string) => boolean): Promise<void> => {
    const rows = await db
      .selectFrom('open_holds')
      .select('request_id')
      .where('holder', '=', holder)
      .execute();
    const requests = rows.map((row) => decodeText(row.request_id)).filter(isOrphan);
    await inSlices(requests, release);
    if (requests.length > 0)
      log.info({ holder, holds: requests.length }, 'gave back holds that were left over');
  };
  // The hold of a task belongs to the task until it ends, whichever process dies.
  const rows = await db
    .selectFrom('open_holds')
    .select('holder')
    .distinct()
    .where('holder', '<>', tasksHolder)
    .execute();
  const holders = rows.map(({ holder }) => holder);
  if (holders.includes(instances.own)) {
    const watch = live.watch();
    await releaseAll(instances.own, (requestId) => !watch.wasLive(requestId)).finally(watch.stop);
  }
  const others = holders.filter((holder) => holder !== instances.own);
  await instances.forEachGone(others, (gone) => releaseAll(gone, () => true));
}
