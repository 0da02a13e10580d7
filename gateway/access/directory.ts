import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { PriceRow } from '../money/price-row.ts';
import { readRevision } from '../store/change-directory.ts';
import type { Database } from '../store/database.ts';
import { readDrained } from '../store/drained-channels.ts';
import { readChangedAccounts, readKeys } from '../store/read-keys.ts';
import { readPrices } from '../store/read-prices.ts';
import { sharedRuns } from '../work/shared-runs.ts';
import { type DirectoryPeers, directoryLeaseMs } from './directory-peers.ts';
import type { KeyRing } from './key-ring.ts';

/** Keeps accounts, keys, prices and drained channels in memory in step with the database. */
export interface Directory {
  /**
   * Whether the keys in memory are current enough to accept a request. It costs one comparison. False if the process shares
   * its database and has not asked it lately: call `look` first.
   */
  readonly isFresh: boolean;
  /**
   * Asks the database once whether something has changed; resolves when that is in effect here. Does nothing without peers.
   */
  look(): Promise<void>;
  /** Resolves when every change that was committed before is in effect in this process. */
  reload(): Promise<void>;
  /** Resolves when they are also in effect in every other process, from the next request on. */
  reloadEverywhere(): Promise<void>;
  /** Asks periodically in the background, and repeats reloads that failed. */
  watch(): { stop(): Promise<void> };
}

export interface DirectoryDeps {
  readonly db: Kysely<Database>;
  readonly keys: Pick<KeyRing, 'replace'>;
  readonly prices: { replace(rows: readonly PriceRow[]): void };
  readonly channels: { setDrained(ids: readonly string[]): void };
  /** The processes that share the database; null with a single process. */
  readonly peers: DirectoryPeers | null;
  /** Real time, because a jump of the test clock would stop at every query. */
  readonly timer: Clock;
  /** Called once when the database cannot be read. Queries go on. */
  readonly onFailure: (cause: unknown) => void;
}

/** Several queries fit into one lease. */
const watchMs = 500;

export function createDirectory(deps: DirectoryDeps): Directory {
  const { db, keys, prices, channels, peers, timer, onFailure } = deps;
  let loaded = -1n;
  let isBehind = false;
  const isUnchanged = async (): Promise<boolean> => {
    if (peers === null) return true;
    const { revision, told } = await peers.stand();
    return revision === loaded && told === loaded;
  };
  let freshUntilMs = Number.NEGATIVE_INFINITY;
  const isGoodFrom = (askedAtMs: number): void => {
    isBehind = false;
    freshUntilMs = Math.max(freshUntilMs, askedAtMs + directoryLeaseMs);
  };
  const load = async (): Promise<void> => {
    isBehind = true;
    const askedAtMs = timer.monotonic();
    // From here on, every process that changes something waits for this one.
    await peers?.join();
    // The revision is read first: a change in the meantime is then read twice, never missed.
    const { revision, told } =
      peers === null ? { revision: await readRevision(db), told: loaded } : await peers.stand();
    // If the database does not know what was loaded, as after a failover, it may have lost changes. Then all keys are read.
    const isKnown = loaded >= 0n && told === loaded;
    const accounts = isKnown ? await readChangedAccounts(db, loaded) : null;
    const [keyRows, priceRows, drained] = await Promise.all([
      readKeys(db, accounts),
      readPrices(db),
      readDrained(db),
    ]);
    keys.replace(keyRows, accounts);
    prices.replace(priceRows);
    channels.setDrained(drained);
    loaded = revision;
    await peers?.tell(revision);
    isGoodFrom(askedAtMs);
  };
  const reload = sharedRuns(load);
  const look = sharedRuns(async () => {
    const askedAtMs = timer.monotonic();
    if (isBehind || !(await isUnchanged())) await reload();
    else isGoodFrom(askedAtMs);
  });
  return {
    get isFresh() {
      return peers === null || timer.monotonic() < freshUntilMs;
    },
    look: async () => {
      if (peers !== null) await look();
    },
    reload,
    reloadEverywhere: async () => {
      await reload();
      await peers?.allHave(loaded);
    },
    watch: () => watch(look, { peers, timer, onFailure }),
  };
}

/** Asks at once when another process reports a change, and at least every half second. */
function watch(
  look: () => Promise<void>,
  { peers, timer, onFailure }: Pick<DirectoryDeps, 'peers' | 'timer' | 'onFailure'>,
): { stop(): Promise<void> } {
  let isFailing = false;
  let isStopped = false;
  const lookOnce = async (): Promise<void> => {
    if (isStopped) return;
    try {
      await look();
      isFailing = false;
    } catch (cause) {
      if (!isFailing && !isStopped) onFailure(cause);
      isFailing = true;
    }
  };
  const lookAndGoOn = async (): Promise<void> => {
    await lookOnce();
    if (!isStopped) next = timer.schedule(watchMs, () => void lookAndGoOn());
  };
  let next = timer.schedule(watchMs, () => void lookAndGoOn());
  peers?.onChange(() => void lookOnce());
  return {
    stop: async () => {
      isStopped = true;
      next.cancel();
      // If this fails, the others wait for this process once and then forget it.
      await peers?.leave().catch(() => {});
    },
  };
}
