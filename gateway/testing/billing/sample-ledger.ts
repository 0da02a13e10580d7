import type { Kysely } from 'kysely';
import { createLedger, type LedgerDeps, type StoredLedger } from '../../billing/create-ledger.ts';
import { RealClock } from '../../clock.ts';
import type { Database } from '../../store/database.ts';
import { createSoleInstance } from '../../work/instances.ts';
import { silentLog } from '../store/test-stores.ts';

// For tests only.

/** A ledger over a store; by default the only process on it. */
export function sampleLedger(db: Kysely<Database>, parts: Partial<LedgerDeps> = {}): StoredLedger {
  const clock = new RealClock();
  return createLedger({
    db,
    instances: createSoleInstance('gw_test'),
    clock,
    timer: clock,
    log: silentLog,
    ...parts,
  });
}
