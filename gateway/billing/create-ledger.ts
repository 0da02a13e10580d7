import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { isConnectionFailure } from '../store/connection-failure.ts';
import type { Database } from '../store/database.ts';
import { GroupCommit } from '../store/group-commit.ts';
import { createHoldReaper } from './hold-reaper.ts';
import type { Instances } from './instances.ts';
import { admissions, allPostings, type Correction, type Grant, type Ledger, type Posting } from './ledger.ts';
import {
  type Command,
  holdCommand,
  type Outcome,
  postCommands,
  postingCommand,
  releaseCommand,
  settleCommand,
} from './post-commands.ts';
import { UsageNotKept } from './usage-not-kept.ts';

export interface LedgerDeps {
  readonly db: Kysely<Database>;
  readonly instances: Instances;
  /** Says when a hold was given back that was left over. */
  readonly clock: Pick<Clock, 'now'>;
  /** For waits before something is tried again; real time, because a clock that is moved would stop at each of them. */
  readonly timer: Pick<Clock, 'schedule'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** A ledger with the care for holds that nobody ends any more. */
export interface StoredLedger extends Ledger {
  /** Gives back what processes hold that are gone, now and from time to time; to be awaited before the first request. */
  open(): Promise<void>;
  /** Drains, and leaves the database alone from then on. */
  close(): Promise<void>;
}

/** The ledger over the given database; one a process, because it is what makes batches. */
export function createLedger({ db, instances, clock, timer, log }: LedgerDeps): StoredLedger {
  const group = new GroupCommit<Command, Outcome>({
    commit: (commands) => postCommands(db, commands, instances.own),
    isConnectionFailure,
  });
  /** Requests whose hold is in the database for good reason, or on its way there. */
  const live = new Set<string>();
  const holdReaper = createHoldReaper({
    db,
    instances,
    timer,
    log,
    isLive: (requestId) => live.has(requestId),
    release: (requestId) => group.add(releaseCommand(requestId, clock.now())),
  });
  const post = async (posting: Grant | Correction): Promise<Posting> =>
    oneOf(allPostings, await group.add(postingCommand(posting)));

  return {
    hold: async (hold) => {
      live.add(hold.requestId);
      try {
        const admission = oneOf(admissions, await group.add(holdCommand(hold)));
        if (admission !== 'held') live.delete(hold.requestId);
        return admission;
      } catch (error) {
        // It may have been written all the same.
        live.delete(hold.requestId);
        holdReaper.expect();
        throw error;
      }
    },
    settle: async (record) => {
      try {
        await group.add(settleCommand(record));
      } catch (error) {
        holdReaper.expect();
        throw new UsageNotKept(record, error);
      } finally {
        live.delete(record.request_id);
      }
    },
    release: async (requestId, atMs) => {
      try {
        await group.add(releaseCommand(requestId, atMs));
      } catch (error) {
        log.warn({ err: error, request_id: requestId }, 'what a request held is given back later');
        holdReaper.expect();
      } finally {
        live.delete(requestId);
      }
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
