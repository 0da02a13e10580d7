import { parseArgs } from 'node:util';
import { copyDataDir } from './store/copy-data-dir.ts';
import { StoreError } from './store/store-errors.ts';

const usage = `Copies the data directory of a stopped gateway, or brings a copy back into a new directory:
  node gateway/backup.ts --from DATA_DIR --to BACKUP
  node gateway/backup.ts --from BACKUP --to NEW_DATA_DIR
`;

const exitUsage = 2;

try {
  const { from, to } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } }).values;
  if (from === undefined || to === undefined) throw new StoreError(usage);
  copyDataDir(from, to);
  process.stdout.write(
    `${to} holds a whole copy of ${from}. Media files outside it are not included (media.dir).\n`,
  );
} catch (error) {
  const isOurs = error instanceof StoreError || (error instanceof Error && 'code' in error);
  process.stderr.write(`${isOurs ? error.message.trimEnd() : (error as Error).stack}\n`);
  process.exitCode = isOurs ? exitUsage : 1;
}
