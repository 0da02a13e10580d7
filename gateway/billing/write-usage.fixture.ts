import { openStore } from '../store/store.ts';
import { type StorePlace, silentLog } from '../store/test-stores.ts';
import { sampleUsage } from './sample-usage.ts';
import { createUsageWriter } from './usage-writer.ts';

// Run by a test as a process of its own and killed there: writes usage records without end and prints the id
// of each one that was acknowledged. Arguments: the place as JSON, and the prefix of the ids.

const WRITERS = 40;

const place: StorePlace = JSON.parse(process.argv[2] ?? '');
const prefix = process.argv[3] ?? '';
const store = await openStore({ ...place, log: silentLog });
const writer = createUsageWriter(store.db);
// Ends with the test, should that one be killed first.
process.stdin.resume().once('end', () => process.exit(1));

let next = 0;
async function writeOn(): Promise<never> {
  for (;;) {
    const id = `${prefix}-${next++}`;
    await writer.write(sampleUsage(id, { metadata: { note: 'x'.repeat(next % 600) } }));
    process.stdout.write(`${id}\n`);
  }
}

await Promise.all(Array.from({ length: WRITERS }, writeOn));
