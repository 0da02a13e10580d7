import { randomUUID } from 'node:crypto';
import { createLeaseSlots } from '../../access/lease-slots.ts';
import { RealClock } from '../../clock.ts';
import { openStore } from '../../store/store.ts';
import { createLeasedInstances } from '../../work/leased-instances.ts';
import { type StorePlace, silentLog } from '../store/test-stores.ts';

// A test runs this as its own process. Arguments: the place of the store, the user, the number of leases. Takes the leases,
// prints `taken`, and renews them until it is killed.

const place: StorePlace = JSON.parse(process.argv[2] ?? '');
const [, , , userId = '', cap = '', leaseMs = ''] = process.argv;
const { db, session } = await openStore({ ...place, log: silentLog });
const name = `gw_${randomUUID()}`;
const instances =
  session === null ? null : createLeasedInstances({ db, session, name, timer: new RealClock() });
await instances?.join();
const slots = createLeaseSlots({
  db,
  clock: new RealClock(),
  newId: randomUUID,
  log: silentLog,
  maxMs: 60_000,
  holders: instances,
  leaseMs: Number(leaseMs),
});
for (let taken = 0; taken < Number(cap); taken += 1) await slots.take(userId, Number(cap));
process.stdout.write('taken\n');
