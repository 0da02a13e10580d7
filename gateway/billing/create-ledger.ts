import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { isConnectionFailure } from '../store/connection-failure.ts';
import type { Database } from '../store/database.ts';
import { GroupCommit } from '../store/group-commit.ts';
import { type Instances, inOwnName } from '../work/instances.ts';
import { createExposureBlocks } from './exposure-blocks.ts';
import { createHoldReaper } from './hold-reaper.ts';
import {
  type Admission,
  admissions,
  allPostings,
  type Correction,
  type Grant,
  type Hold,
  type Ledger,
  type Posting,
} from './ledger.ts';
import { LiveRequests } from './live-requests.ts';
import {
  type Command,
  holdCommand,
  type Outcome,
  postCommands,
  postingCommand,
  releaseCommand,
  settleCommand,
} from './post-commands.ts';
import { UnchargedCounts } from './uncharged.ts';
import { UsageNotKept } from './usage-not-kept.ts';

export interface LedgerDeps {
  readonly db: Kysely<Database>;
  readonly instances: Instances;
  /** Gives the time at which an orphaned hold is released. */
  readonly clock: Pick<Clock, 'now'>;
  /** Real time for waits before retries, because a jump of the test clock would pause at each of them. */
  readonly timer: Pick<Clock, 'monotonic' | 'schedule'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Batches in flight at once; one where the database has a single session. */
  readonly batchesInFlight?: number;
}

/** How long commands wait to be batched under load: a batch costs half a millisecond, each command in it a tenth of that. */
const gatherMs = 2;

/** A ledger that also releases orphaned holds. */
export interface StoredLedger extends Ledger {
  /** Requests that may have ended without a charge. */
  readonly uncharged: UnchargedCounts;
  /**
   * Releases the holds of processes that are gone, now and periodically. Must be awaited before the first request.
   */
  open(): Promise<void>;
  /** Drains the queue. The database is not used from then on. */
  close(): Promise<void>;
}

/** Creates the ledger over the given database. A process has only one, because the ledger batches the writes. */
export function createLedger({
  db,
  instances,
  clock,
  timer,
  log,
  batchesInFlight = 1,
}: LedgerDeps): StoredLedger {
  const group = new GroupCommit<Command, Outcome>({
    commit: (commands) => postCommands(db, commands, instances.own),
    isConnectionFailure,
    inFlightMax: batchesInFlight,
    // With one batch at a time, rows gather anyway while the previous batch is written.
    gathering: batchesInFlight > 1 ? { ms: gatherMs, timer } : null,
  });
  const live = new LiveRequests();
  const uncharged = new UnchargedCounts();
  const holdReaper = createHoldReaper({
    db,
    instances,
    timer,
    log,
    live,
    release: (requestId) => group.add(releaseCommand(requestId, clock.now())),
  });
  const holdDurably = async (hold: Hold, isBlock: boolean): Promise<Admission> => {
    live.add(hold.requestId);
    uncharged.note(hold.accountId);
    try {
      const held = await inOwnName(instances, () => group.add(holdCommand(hold, isBlock)));
      const admission = oneOf(admissions, held);
      if (admission !== 'held' || hold.ofTask !== undefined) live.delete(hold.requestId);
      return admission;
    } catch (error) {
      // The hold may have been written despite the error.
      live.delete(hold.requestId);
      holdReaper.expect();
      throw error;
    }
  };
  const release = async (requestId: string, atMs: number): Promise<void> => {
    try {
      await group.add(releaseCommand(requestId, atMs));
    } catch (error) {
      log.warn({ err: error, request_id: requestId }, 'what a request held is given back later');
      holdReaper.expect();
    } finally {
      live.delete(requestId);
    }
  };
  const blocks = createExposureBlocks({
    timer,
    newId: () => `block_${randomUUID()}`,
    reserve: async (requestId, accountId, amount) => {
      const hold = { requestId, accountId, amount, overshoots: false, atMs: clock.now() };
      return (await holdDurably(hold, true).catch(() => null)) === 'held';
    },
    giveBack: (blockId) => release(blockId, clock.now()),
  });
  const post = async (posting: Grant | Correction): Promise<Posting> =>
    oneOf(allPostings, await group.add(postingCommand(posting)));

  return {
    uncharged,
    hold: (hold) =>
      // A block is of this process, and a task is not.
      hold.ofTask === undefined && !live.has(hold.requestId) && blocks.admit(hold)
        ? 'held'
        : holdDurably(hold, false),
    settle: async (record) => {
      const isCovered = blocks.covers(record.request_id);
      // Any other has been counted by its hold.
      if (isCovered && record.charge_pico === 0n) uncharged.note(record.account_id);
      try {
        await group.add(settleCommand(record, isCovered));
      } catch (error) {
        if (!isCovered) holdReaper.expect();
        throw new UsageNotKept(record, error);
      } finally {
        // A failed write may have taken effect.
        blocks.end(record.request_id, record.charge_pico);
        live.delete(record.request_id);
      }
    },
    release: async (requestId, atMs) => {
      if (blocks.covers(requestId)) blocks.end(requestId, 0n);
      else await release(requestId, atMs);
    },
    releaseOfTask: async (requestId, atMs) => {
      await group.add(releaseCommand(requestId, atMs));
    },
    entrust: (requestId) => {
      live.delete(requestId);
    },
    grant: post,
    correct: post,
    drain: () => group.drain(),
    open: () => holdReaper.open(),
    close: async () => {
      await group.drain();
      await blocks.close();
      await holdReaper.close();
      await group.close();
    },
  };
}

function oneOf<One extends Outcome>(all: readonly One[], outcome: Outcome): One {
  const one = all.find((known) => known === outcome);
  if (one === undefined) throw new Error(`the database answered ${outcome}`);
  return one;
}
