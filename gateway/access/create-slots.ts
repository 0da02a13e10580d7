import { RealClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { LeaseHolders } from './gone-leases.ts';
import { createKeptSlots, type SlotRecall } from './kept-slots.ts';
import { createLeaseSlots, type LeaseOptions } from './lease-slots.ts';
import { createMemorySlots, type Slots } from './slots.ts';

export interface SlotsDeps extends Omit<LeaseOptions, 'newId' | 'holders' | 'maxMs' | 'leaseMs'> {
  readonly config: Config;
  /** Which processes that share the database are gone; null when unknown. */
  readonly instances: LeaseHolders | null;
  /** How the processes that share the database ask each other for slots; null with a single process. */
  readonly slotRecall: SlotRecall | null;
  /** Whether other processes may also change the database. */
  readonly sharesStore: boolean;
}

/**
 * A request makes at most this many attempts, each after a wait in the queue. A slot may also last while the body is read. A
 * slot that is older was never released.
 */
const maxAttempts = 4;
const slotSlackMs = 120_000;

/**
 * Several gateways on one server count slots together, in the database. A single gateway counts them in memory.
 */
export function createSlots(
  { config, clock, db, instances, slotRecall, sharesStore, log }: SlotsDeps,
  newId: () => string,
): Slots {
  const place = config.slots ?? (sharesStore ? 'database' : 'memory');
  const queueWaitMs = Math.max(0, ...config.channels.map((channel) => channel.queue_wait_ms));
  const maxMs =
    maxAttempts * (config.upstream.total_timeout_ms + queueWaitMs) +
    2 * config.limits.body_timeout_ms +
    slotSlackMs;
  if (place === 'memory') return createMemorySlots(clock, newId, maxMs);
  const wallClock = new RealClock();
  const leases = createLeaseSlots({ db, clock: wallClock, newId, log, maxMs, holders: instances });
  return slotRecall === null ? leases : createKeptSlots(leases, slotRecall, wallClock);
}
