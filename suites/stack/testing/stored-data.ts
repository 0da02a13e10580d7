import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

/** The bytes of all files of a folder. */
export function bytesUnder(path: string): Buffer {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))));
}

/** Every row of every table as text, read by PostgreSQL, because its files may be compressed. */
export async function rowsIn(dataDir: string): Promise<string> {
  const db = await PGlite.create(join(dataDir, 'postgres'));
  const { rows: tables } = await db.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'",
  );
  const dumps: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.query<{ row: string }>(`select t::text as row from ${name} t`);
    dumps.push(...rows.map(({ row }) => row));
  }
  await db.close();
  return dumps.join('\n');
}
