import { CompiledQuery, type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { keyHasher } from '../../access/hash-key.ts';
import type { Database } from '../../store/database.ts';
import { seedAccounts } from '../../store/seed-accounts.ts';
import { seedOfConfig } from '../../store/seed-of-config.ts';
import { seedRows } from '../../store/seed-rows.ts';
import { openStore } from '../../store/store.ts';
import { freshCluster, silentLog } from '../store/test-stores.ts';
import { simulate } from './simulation.ts';
import type { Executed } from './store/memory-store.ts';
import { thinGrant } from './world/prices.ts';
import { World } from './world/world.ts';

/** One process and two, with transactions, lost answers, kills, leases, and blocks that cover many calls. */
const seeds = [11, 22, 32, 187];

/** Each sealed text has a random part. */
const sealed = /v1\.[\w-]{40,}/;

/** Locks belong to sessions, of which the replay has but one. */
const aboutSessions = ['take lock', 'release lock', 'ask whether the connection is well'];

/** What the scenarios above must have had, or they would show little. */
const seen = [
  ...['hold', 'end', 'end covered', 'entrust holds', 'add tasks', 'save tasks'],
  ...['notify task', 'resume tasks'],
  ...['keep events', 'note attempts', 'forget events', 'signing secrets', 'take lease', 'give a lease back'],
  ...['claim tasks', 'claim webhook_events', 'release all but some of tasks', 'release holder of tasks'],
];

type Step = Executed | 'begin' | 'commit' | 'rollback';

it('gives the answers of the real database to every statement of whole scenarios', {
  timeout: 180_000,
}, async () => {
  const names = new Set<string>();
  for (const seed of seeds) {
    const steps: Step[] = [];
    await simulate(seed, { onExecuted: (step) => steps.push(step) });
    for (const step of steps) if (typeof step === 'object') names.add(step.name);
    await replay(seed, steps);
  }
  expect([...names]).toEqual(expect.arrayContaining(seen));
});

/** Executes the steps on a real database with the same accounts, and compares all results. */
async function replay(seed: number, steps: readonly Step[]): Promise<void> {
  const fresh = await freshCluster();
  const store = await openStore({ ...fresh.place, log: silentLog });
  try {
    await fill(store.db, new World(seed, {}));
    await store.db.connection().execute(async (one) => {
      for (const [at, step] of steps.entries()) {
        if (typeof step === 'string') await one.executeQuery(CompiledQuery.raw(step));
        else if (!aboutSessions.includes(step.name)) await compare(one, step, `seed ${seed}, step ${at}`);
      }
    });
  } finally {
    await store.close();
    await fresh.remove();
  }
}

async function compare(one: Kysely<Database>, { text, params, name, nowMs, result }: Executed, at: string) {
  const now = `timestamptz '${new Date(nowMs).toISOString()}'`;
  const asked = CompiledQuery.raw(text.replaceAll('clock_timestamp()', now), [...params]);
  const rows = await one.executeQuery<object>(asked).then(
    (answer) => answer.rows,
    () => null,
  );
  const expected = 'error' in result ? null : plain(result.rows);
  expect(rows === null ? null : plain(rows), `${at}: ${name} ${JSON.stringify(params)}`).toEqual(expected);
}

/** Rows in a form in which those of both sides compare; statements promise no order but for single columns. */
function plain(rows: readonly object[]): string[] {
  const textOf = (row: object): string =>
    JSON.stringify(Object.entries(row).sort(), (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    ).replace(sealed, '');
  return rows.map(textOf).sort();
}

async function fill(db: Kysely<Database>, { scenario: { config }, store: { tables } }: World): Promise<void> {
  await seedAccounts(db, seedRows(seedOfConfig(config), keyHasher(config.key_pepper)));
  await sql`insert into ledger_entries (transfer_id, kind, account_id, book, amount_pico, posted_at) values
    ('grant:thin:first', 'grant', 'thin', 'credits', ${thinGrant}, now()),
    ('grant:thin:first', 'grant', 'thin', 'grants', ${-thinGrant}, now())`.execute(db);
  await sql`insert into account_balances (account_id, posted_pico) values ('thin', ${thinGrant})`.execute(db);
  await db.insertInto('webhook_secrets').values(tables.secrets.all()).execute();
}
