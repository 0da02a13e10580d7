import { openStore } from '../../store/store.ts';
import { type StorePlace, silentLog } from '../store/test-stores.ts';
import { sampleLedger } from './sample-ledger.ts';
import { sampleUsage } from './sample-usage.ts';

// A test runs this as its own process and kills it. Holds and settles requests endlessly, and prints the id of each request
// whose usage was acknowledged. Arguments: the place as JSON, and the prefix of the ids.

const writers = 40;

const place: StorePlace = JSON.parse(process.argv[2] ?? '');
const prefix = process.argv[3] ?? '';
const store = await openStore({ ...place, log: silentLog });
const ledger = sampleLedger(store.db);
// Ends with the test, if the test is killed first.
process.stdin.resume().once('end', () => process.exit(1));

let next = 0;
async function writeOn(): Promise<never> {
  for (;;) {
    const id = `${prefix}-${next++}`;
    const record = sampleUsage(id, { charge_pico: 7n, metadata: { note: 'x'.repeat(next % 600) } });
    await ledger.hold({
      requestId: id,
      accountId: record.account_id,
      amount: 10n,
      overshoots: true,
      atMs: record.started_at_ms,
    });
    await ledger.settle(record);
    process.stdout.write(`${id}\n`);
  }
}

await Promise.all(Array.from({ length: writers }, writeOn));
