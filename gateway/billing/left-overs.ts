import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { type Database, TASKS_HOLDER } from '../store/database.ts';
import { inSlices } from '../store/in-slices.ts';
import type { Instances } from './instances.ts';
import { decodeText } from './stored-text.ts';

export interface LeftOverParts {
  readonly db: Kysely<Database>;
  readonly instances: Instances;
  readonly timer: Pick<Clock, 'schedule'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Whether a request of this process is under way. */
  readonly isLive: (requestId: string) => boolean;
  /** Gives back what a request holds, if it still does. */
  readonly release: (requestId: string) => Promise<unknown>;
}

/** Gives back holds that nobody ends any more: those of processes that are gone, and those that could not be ended. */
export interface LeftOvers {
  /** A first look, and from then on one from time to time. */
  open(): Promise<void>;
  /** Something could not be written: has a look soon, and again until one succeeds. */
  expect(): void;
  /** No look from now on but a last one, if something could not be written. */
  close(): Promise<void>;
}

/** How soon after a failure, at first; it doubles with every one that follows. */
const soonMs = 1_000;
/** Between two looks, at most after failures, and otherwise on a database where others come and go. */
const everyMs = 30_000;

export function createLeftOvers(parts: LeftOverParts): LeftOvers {
  const { timer, log, instances } = parts;
  let waitMs = soonMs;
  let next: { cancel(): void } | null = null;
  /** Whether the look that is planned is one of those after a failure: they come soon enough for another one. */
  let isSoon = false;
  let looking: Promise<void> | null = null;
  /** Whether something could not be written since the last good look began. */
  let isExpected = false;
  let isClosed = false;

  const lookIn = (delayMs: number): void => {
    next?.cancel();
    next = isClosed ? null : timer.schedule(delayMs, begin);
    isSoon = false;
  };
  const lookSoon = (): void => {
    if (isSoon) return;
    lookIn(waitMs);
    isSoon = true;
  };
  /** While nothing is wrong. */
  const lookAgain = (): void => {
    if (instances.isShared) lookIn(everyMs);
  };
  const begin = (): void => {
    isSoon = false;
    looking = look().finally(() => {
      looking = null;
    });
  };
  const look = async (): Promise<void> => {
    isExpected = false;
    try {
      await releaseLeftOvers(parts);
      waitMs = soonMs;
      if (isExpected) lookSoon();
      else lookAgain();
    } catch (error) {
      isExpected = true;
      log.warn({ err: error }, 'holds that were left over are given back later');
      lookSoon();
      waitMs = Math.min(2 * waitMs, everyMs);
    }
  };
  return {
    open: async () => {
      await instances.join();
      await releaseLeftOvers(parts);
      lookAgain();
    },
    expect: () => {
      isExpected = true;
      if (looking === null) lookSoon();
    },
    close: async () => {
      isClosed = true;
      next?.cancel();
      await looking;
      if (isExpected) await look();
      await instances.leave();
    },
  };
}

async function releaseLeftOvers({ db, instances, log, isLive, release }: LeftOverParts): Promise<void> {
  const releaseAll = async (holder: string, isLeftOver: (requestId: string) => boolean): Promise<void> => {
    const rows = await db
      .selectFrom('open_holds')
      .select('request_id')
      .where('holder', '=', holder)
      .execute();
    const requests = rows.map((row) => decodeText(row.request_id)).filter(isLeftOver);
    await inSlices(requests, release);
    if (requests.length > 0)
      log.info({ holder, holds: requests.length }, 'gave back holds that were left over');
  };
  // What tasks hold is theirs until they end, whoever dies.
  const rows = await db
    .selectFrom('open_holds')
    .select('holder')
    .distinct()
    .where('holder', '<>', TASKS_HOLDER)
    .execute();
  const holders = rows.map(({ holder }) => holder);
  if (holders.includes(instances.own)) await releaseAll(instances.own, (requestId) => !isLive(requestId));
  const others = holders.filter((holder) => holder !== instances.own);
  await instances.forEachGone(others, (gone) => releaseAll(gone, () => true));
}
