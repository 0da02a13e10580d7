import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openStore } from '../store/store.ts';
import { type StorePlace, silentLog, storeKinds } from '../testing/store/test-stores.ts';

const writer = fileURLToPath(new URL('../testing/billing/write-usage.ts', import.meta.url));
const seed = 20_261_121;
const rounds = 3;

/** How many acknowledgements to wait for in a round: 1 to 2,000, derived from the seed. */
function killAfter(round: number): number {
  return 1 + (createHash('sha256').update(`${seed}:${round}`).digest().readUInt32BE() % 2_000);
}

/** Lets a process write until it has acknowledged this many records, kills it, and returns their ids. */
async function writeAndKill(place: StorePlace, prefix: string, acknowledgements: number): Promise<string[]> {
  const child = spawn(process.execPath, [writer, JSON.stringify(place), prefix], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const read = once(lines, 'close');
  const ids: string[] = [];
  lines.on('line', (id) => {
    ids.push(id);
    if (ids.length === acknowledgements) {
      child.kill('SIGKILL');
    }
  });
  expect(await exited).toEqual([null, 'SIGKILL']);
  await read;
  return ids;
}

describe.each(storeKinds)('usage records on a store of kind $name', ({ fresh }) => {
  it('are all stored after the writing process was killed at a random moment', {
    timeout: 120_000,
  }, async () => {
    const { place, remove } = await fresh();
    const acknowledged: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const ids = await writeAndKill(place, `round-${round}`, killAfter(round));
      expect(ids.length).toBeGreaterThanOrEqual(killAfter(round));
      acknowledged.push(...ids);
      const store = await openStore({ ...place, log: silentLog });
      const { rows } = await sql<{ lost: string }>`
        select id as lost from json_array_elements_text(${JSON.stringify(acknowledged)}::json) as id
        where not exists (select from usage_records where request_id = id)`.execute(store.db);
      expect(rows).toEqual([]);
      await store.close();
    }
    await remove();
  });
});
