import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { PriceRow } from '../money/price-row.ts';
import { readRevision } from '../store/change-directory.ts';
import type { Database } from '../store/database.ts';
import { readDrained } from '../store/drained-channels.ts';
import { readKeys } from '../store/read-keys.ts';
import { readPrices } from '../store/read-prices.ts';
import type { KeyRing } from './key-ring.ts';

/** Keeps what is in memory of the accounts, keys, prices and drained channels equal to what the database says. */
export interface Directory {
  /** Resolves when every change that was committed before is in effect in this process. */
  reload(): Promise<void>;
  /**
   * Looks after it in the background: makes up for a reload that failed and, where processes share the database, takes
   * over what the others change. Waits in real time: a clock that is moved for tests would stop at every look.
   */
  watch(isShared: boolean, wallClock: Clock): { stop(): void };
}

export interface DirectoryDeps {
  readonly db: Kysely<Database>;
  readonly keys: Pick<KeyRing, 'replace'>;
  readonly prices: { replace(rows: readonly PriceRow[]): void };
  readonly channels: { setDrained(ids: readonly string[]): void };
  /** Told when the database cannot be asked, once until it can; it is asked again. */
  readonly onFailure: (cause: unknown) => void;
}

/** Half of the second within which a change must be in effect everywhere. */
const watchMs = 500;

export function createDirectory({ db, keys, prices, channels, onFailure }: DirectoryDeps): Directory {
  let loaded = -1n;
  let isBehind = false;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const load = async (): Promise<void> => {
    // The revision first: what changes meanwhile is seen twice, never missed.
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
  /** One that is under way may have read too early: everybody who comes meanwhile shares the one after it. */
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
