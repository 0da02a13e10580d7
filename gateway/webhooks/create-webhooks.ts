import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { WebhookLimits } from '../config.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { isConnectionFailure } from '../store/connection-failure.ts';
import type { Database } from '../store/database.ts';
import { GroupCommit } from '../store/group-commit.ts';
import { createDueRows } from '../work/due-rows.ts';
import type { Instances } from '../work/instances.ts';
import { createWorkLoop } from '../work/work-loop.ts';
import { type AttemptParts, attempt } from './attempt.ts';
import { type DueEvent, eventAttempts } from './due-event.ts';
import { createEventLog } from './event-log.ts';
import { createEventStore } from './event-store.ts';
import { longestWaitMs } from './next-attempt.ts';
import { Receivers, receiverOf } from './receivers.ts';
import type { Seal } from './seal.ts';
import { createSecretStore } from './secret-store.ts';
import type { EventSink, Webhooks } from './webhooks.ts';

export interface WebhooksParts {
  readonly db: Kysely<Database>;
  readonly instances: Instances;
  readonly limits: WebhookLimits;
  /** How long ended events are kept, in ms. */
  readonly retentionMs: number;
  readonly outbound: Outbound;
  readonly seal: Seal;
  /** The clock of schedules, deadlines and retention. */
  readonly clock: Clock;
  /** The clock for the timestamps of signatures and the end of secrets. */
  readonly wall: Pick<Clock, 'now'>;
  /** Real time, for work that must go on however the clock is moved. */
  readonly timer: Clock;
  readonly newId: (prefix: string) => string;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly log: Logger;
  /** Called for each attempt to deliver an event. */
  readonly onAttempt: AttemptParts['onAttempt'];
}

/** Webhooks with their deliveries. */
export interface RunningWebhooks extends Webhooks, EventSink {
  /** Takes over the work of dead processes, and makes due attempts from now on. */
  open(): Promise<void>;
  /** Removes events whose retention is over. */
  forgetOld(): Promise<void>;
  /**
   * Starts no further attempt, and waits a while for those in flight. An interrupted attempt continues at the next start, or
   * in another process.
   */
  close(): Promise<void>;
}

const closeWithinMs = 2_000;

/** Creates the webhooks over the given database. */
export function createWebhooks(parts: WebhooksParts): RunningWebhooks {
  const { db, instances, limits, clock, wall } = parts;
  const store = createEventStore(db, () => parts.newId('evt_'));
  const oldestMs = (): number => clock.now() - parts.retentionMs;
  const events = createEventLog(db, oldestMs);
  const secrets = createSecretStore(db, parts.seal);
  const signing = new GroupCommit<string, readonly string[]>({
    commit: async (accounts) => {
      const found = await secrets.signing([...new Set(accounts)], wall.now());
      return accounts.map((account) => found.get(account) ?? []);
    },
    isConnectionFailure,
  });
  const gone = new AbortController();
  const attemptParts = {
    ...parts,
    store,
    gone: gone.signal,
    secretsOf: (account: string) => signing.add(account),
  };
  const rows = createDueRows(db, instances, eventAttempts);
  const loop = createWorkLoop<DueEvent>({
    ...parts,
    name: 'events',
    rows,
    shares: new Receivers(limits, clock),
    run: (event) => attempt(event, attemptParts),
    resume: () => rows.release(null),
    longestMs: longestWaitMs(limits),
    closeWithinMs: closeWithinMs,
  });
  const [firstWaitMs = 0] = limits.schedule_ms;

  return {
    ...events,
    insert: (trx, some) => store.insert(trx, some, firstWaitMs),
    wake: (some) => {
      if (firstWaitMs === 0) loop.wake(some.map(({ accountId, url }) => receiverOf(accountId, url)));
      else for (const { atMs } of some) loop.dueAt(atMs + firstWaitMs);
    },
    redeliver: async (eventId) => {
      const restarted = await events.restart(eventId, clock.now());
      if (restarted === null) return null;
      loop.wake([restarted.receiver]);
      return restarted.event;
    },
    secrets: (accountId) => secrets.list(accountId, wall.now()),
    rotate: (accountId, overlapMs) => secrets.rotate(accountId, overlapMs, wall.now()),
    end: (accountId, secretId) => secrets.end(accountId, secretId, wall.now()),
    idle: loop.idle,
    open: loop.open,
    forgetOld: () => store.forgetEndedBefore(oldestMs()),
    close: () =>
      loop.close(async () => {
        gone.abort();
        await signing.close();
        await store.close();
      }),
  };
}
