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
   * Whether a request may be let in by what is in memory. It costs one comparison. False in a process that shares its
   * database and has not looked there lately: `look` decides then.
   */
  readonly isFresh: boolean;
  /** Looks once whether something has changed; resolves when that is in effect here. Without peers there is no need. */
  look(): Promise<void>;
  /** Resolves when every change that was committed before is in effect in this process. */
  reload(): Promise<void>;
  /** Resolves when they are also in effect in every other process, from the next request on. */
  reloadEverywhere(): Promise<void>;
  /** Looks in the background, and makes up for reloads that failed. */
  watch(): { stop(): Promise<void> };
}

export interface DirectoryDeps {
  readonly db: Kysely<Database>;
  readonly keys: Pick<KeyRing, 'replace'>;
  readonly prices: { replace(rows: readonly PriceRow[]): void };
  readonly channels: { setDrained(ids: readonly string[]): void };
  /** The processes that share the database; null where there is but one. */
  readonly peers: DirectoryPeers | null;
  /** Real time, because a jump of the test clock would pause at every look. */
  readonly timer: Clock;
  /** Called once when the database cannot be read. Looking goes on. */
  readonly onFailure: (cause: unknown) => void;
}

/** Several looks within the time that one is good for. */
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
    // From here on whoever changes something waits for this process.
    await peers?.join();
    // The revision is read first: a change in the meantime is then read twice, never missed.
    const { revision, told } =
      peers === null ? { revision: await readRevision(db), told: loaded } : await peers.stand();
    // A database that does not know what was loaded, as after a failover, may have lost changes: all keys are read then.
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

/** Reads at once when another process reports a change, and at least every half second. */
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
      // A process that cannot say so is waited for once, and then forgotten.
      await peers?.leave().catch(() => {});
    },
  };
}
