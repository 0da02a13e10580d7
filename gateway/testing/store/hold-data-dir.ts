import { openStore } from '../../store/store.ts';
import { reasonOf } from '../../store/store-errors.ts';
import { silentLog } from './test-stores.ts';

// Run by a test as a process of its own: opens the store in the directory of its first argument, says `open`
// and holds it until its stdin ends; or says why it cannot and exits with 3.

try {
  const store = await openStore({ dataDir: process.argv[2] ?? '', log: silentLog });
  process.stdout.write('open\n');
  process.stdin.resume().once('end', () => void store.close());
} catch (error) {
  process.stdout.write(`${reasonOf(error)}\n`);
  process.exitCode = 3;
}
