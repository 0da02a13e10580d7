import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { PriceRow } from '../money/price-row.ts';
import { readRevision } from '../store/change-directory.ts';
import type { Database } from '../store/database.ts';
import { readDrained } from '../store/drained-channels.ts';
import { readKeys } from '../store/read-keys.ts';
import { readPrices } from '../store/read-prices.ts';
import type { KeyRing } from './key-ring.ts';

/** Keeps accounts, keys, prices and drained channels in memory in step with the database. */
export interface Directory {
  /** Resolves when every change that was committed before is in effect in this process. */
  reload(): Promise<void>;
  /**
   * Polls in the background: retries a failed reload, and reads changes of other processes that share the
   * database. It polls in real time, because a jump of the test clock would pause at every poll.
   */
  watch(isShared: boolean, wallClock: Clock): { stop(): void };
}

export interface DirectoryDeps {
  readonly db: Kysely<Database>;
  readonly keys: Pick<KeyRing, 'replace'>;
  readonly prices: { replace(rows: readonly PriceRow[]): void };
  readonly channels: { setDrained(ids: readonly string[]): void };
  /** Called once when the database cannot be read. Polling goes on. */
  readonly onFailure: (cause: unknown) => void;
}

/** A change must be in effect everywhere within one second; this is half of it. */
const watchMs = 500;

export function createDirectory({ db, keys, prices, channels, onFailure }: DirectoryDeps): Directory {
  let loaded = -1n;
  let isBehind = false;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const load = async (): Promise<void> => {
    // The revision is read first: a change in the meantime is then read twice, never missed.
    const revision = await readRevision(db);
    const [keyRows, priceRows, drained] = await Promise.all([readKeys(db), readPrices(db), readDrained(db)]);
    keys.replace(keyRows);
    prices.replace(priceRows);
    channels.setDrained(drained);
    loaded = revision;
  };
  const run = (): Promise<void> => {
    next = null;
    isBehind = true;
    running = load()
      .then(() => {
        isBehind = false;
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
  /** A reload in flight may have read too early. So all calls during it share the next one. */
  const reload = (): Promise<void> => {
    if (next !== null) return next;
    if (running === null) return run();
    next = running.then(run, run);
    return next;
  };
  return {
    reload,
    watch: (isShared, wallClock) => {
      let isFailing = false;
      let isStopped = false;
      const look = async (): Promise<void> => {
        try {
          if (isBehind || (isShared && (await readRevision(db)) !== loaded)) await reload();
          isFailing = false;
        } catch (cause) {
          if (!isFailing && !isStopped) onFailure(cause);
          isFailing = true;
        }
        if (!isStopped) timer = wallClock.schedule(watchMs, () => void look());
      };
      let timer = wallClock.schedule(watchMs, () => void look());
      return {
        stop: () => {
          isStopped = true;
          timer.cancel();
        },
      };
    },
  };
}
