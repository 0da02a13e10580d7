import { openStore } from '../../store/store.ts';
import { reasonOf } from '../../store/store-errors.ts';
import { silentLog } from './test-stores.ts';

// A test runs this as its own process. It opens the store in the directory of its first argument, prints `open` and holds it
// until its stdin ends. If it cannot, it prints the reason and exits with 3.

try {
  const store = await openStore({ dataDir: process.argv[2] ?? '', log: silentLog });
  process.stdout.write('open\n');
  process.stdin.resume().once('end', () => void store.close());
} catch (error) {
  process.stdout.write(`${reasonOf(error)}\n`);
  process.exitCode = 3;
}
