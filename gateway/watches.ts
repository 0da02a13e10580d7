import { open } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Ledger } from './billing/ledger.ts';
import { createUnchargedRetention, type UnchargedCounts } from './billing/uncharged.ts';
import { createUsageRetention } from './billing/usage-retention.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Metrics } from './metrics/metrics.ts';
import { uselessUrl } from './metrics/useless-url.ts';
import { watchDescriptors } from './metrics/watch-descriptors.ts';
import type { Store } from './store/store.ts';
import { reasonOf } from './store/store-errors.ts';
import { noteChannelKeys } from './tasks/changed-keys.ts';
import { type Repeated, repeat } from './work/repeat.ts';

/** Interval at which the embedded store records the state of its ledger, in ms. */
const checkpointMs = 60_000;
/** Interval at which it vacuums tables with many deletions, in ms: it has no autovacuum process. */
const vacuumMs = 10 * 60_000;

export interface WatchesDeps {
  readonly config: Config;
  /** The URL where this process listens. */
  readonly ownUrl: string;
  readonly store: Pick<Store, 'db' | 'kind' | 'checkpoint'>;
  /** What the ledger counts for {@link createUnchargedRetention}. */
  readonly uncharged: UnchargedCounts;
  readonly digestOf: (text: string) => string;
  /** The clock for the age of usage records. */
  readonly clock: Pick<Clock, 'now'>;
  /** Real time. */
  readonly timer: Clock;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/**
 * Runs once the gateway listens. Reports problems that would otherwise stay silent, watches for later ones, and deletes old
 * usage records.
 */
export async function startWatches(deps: WatchesDeps): Promise<Pick<Repeated, 'stop'>> {
  const { config, ownUrl, store, digestOf, clock, timer, metrics, log } = deps;
  const useless = uselessUrl(config, config.public_url ?? ownUrl);
  metrics.publicUrlIsUseless(useless !== null);
  if (useless !== null) log.warn({ cause: useless }, 'public_url is useless');
  for (const { channel, jobs } of await noteChannelKeys(store.db, config.channels, digestOf)) {
    metrics.keyChanged(channel, jobs);
    log.warn({ channel, jobs }, 'the key or address of a channel changed while jobs run there');
  }
  const watch = watchDescriptors({ tryOpen, timer, onExhausted: metrics.descriptorsExhausted, log });
  const checkpoints = repeat(
    timer,
    checkpointMs,
    async () => await store.checkpoint?.(),
    (error) => {
      log.warn({ reason: reasonOf(error) }, 'what the ledger holds could not be kept beside it');
    },
  );
  const vacuums = repeat(
    timer,
    vacuumMs,
    async () =>
      void (await sql`vacuum tasks, open_holds, webhook_events, webhook_attempts`.execute(store.db)),
    (error) => log.warn({ reason: reasonOf(error) }, 'room for new rows is made later'),
  );
  watch.begin();
  if (store.kind === 'embedded') vacuums.begin();
  if (store.checkpoint !== null) checkpoints.begin();
  const { retention_days: days, uncharged_calls: kept } = config.usage;
  const forgetting = { store, timer, onForgotten: metrics.usageForgotten, log };
  const retentions = [createUnchargedRetention({ ...forgetting, counts: deps.uncharged, kept })];
  if (days !== undefined) retentions.push(createUsageRetention({ ...forgetting, clock, days }));
  for (const retention of retentions) retention.begin();
  return {
    stop: async () =>
      void (await Promise.all([watch, checkpoints, vacuums, ...retentions].map((one) => one.stop()))),
  };
}

async function tryOpen(): Promise<void> {
  await (await open(process.execPath)).close();
}

/** A ledger that counts its settled records in the metrics. */
export function countingUsage<Books extends Pick<Ledger, 'settle'>>(
  ledger: Books,
  metrics: Pick<Metrics, 'used'>,
): Books {
  const settle: Ledger['settle'] = (record) => ledger.settle(record).then(() => metrics.used(record));
  return { ...ledger, settle };
}
