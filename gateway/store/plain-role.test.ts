import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { RealClock } from '../clock.ts';
import { seedOneKey } from '../testing/store/seed-one-key.ts';
import { asAdmin, server, silentLog, urlAs } from '../testing/store/test-stores.ts';
import { createLeasedInstances } from '../work/leased-instances.ts';
import { noticeChannel } from './server-session.ts';
import { openStore } from './store.ts';

const adminUrl = process.env.GATECHECK_TEST_DATABASE_URL ?? '';
const page = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');
/** The statements in docs/operating.md, with names and a password for this test. */
const documented = (database: string, password: string): string[] =>
  [...page.matchAll(/^ {4}((?:create|revoke|grant|alter) .*);$/gm)].map(([, statement = '']) =>
    statement.replaceAll(/\b(?:gatecheck|company)\b/g, database).replace('…', password),
  );

/** Uses everything that a gateway needs of its database: tables, functions, rows, notices, locks. */
async function useStore(url: string): Promise<object | undefined> {
  const store = await openStore({ url, log: silentLog });
  try {
    await seedOneKey(store.db);
    const heard = new Promise<void>((resolve) =>
      store.session?.onNotice((text) => text === 'hello' && resolve()),
    );
    await vi.waitFor(() => expect(store.session?.isHeard).toBe(true), { timeout: 30_000 });
    await sql`select pg_notify(${noticeChannel}, 'hello')`.execute(store.db);
    await heard;
    const { db, session } = store;
    if (session === null) throw new Error('a server has a session');
    const instances = createLeasedInstances({ db, session, name: 'gw_one', timer: new RealClock() });
    await instances.join();
    await instances.leave();
    const { rows } = await sql<object>`
      select rolsuper, rolcreaterole, rolcreatedb, (select count(*) from api_keys)::integer as keys,
        (select relnamespace::regnamespace::text from pg_class where oid = 'api_keys'::regclass) as schema
      from pg_roles where rolname = current_user`.execute(store.db);
    return rows[0];
  } finally {
    await store.close();
  }
}

describe.skipIf(server.isMissing)('a role with only the documented rights', () => {
  const plain = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, keys: 1 };
  const name = `gatecheck_plain_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(16).toString('hex');
  const statements = documented(name, password);
  const own = urlAs(adminUrl || 'postgres://nobody', name, password, name);

  it('suffices for a dedicated database and for a dedicated schema', { timeout: 60_000 }, async () => {
    expect(statements.map((one) => one.split(' ').slice(0, 2).join(' '))).toEqual([
      ...['create role', 'create database', 'revoke all', 'create schema', 'alter role'],
    ]);
    const inDatabase = statements.slice(0, 3);
    const inSchema = statements.slice(3);
    try {
      await asAdmin(adminUrl, inDatabase);
      expect(await useStore(own)).toEqual({ ...plain, schema: 'public' });
      await asAdmin(adminUrl, [`drop database ${name}`, `create database ${name}`]);
      const company = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
      await asAdmin(company, inSchema);
      expect(await useStore(own)).toEqual({ ...plain, schema: name });
      // A second start opens what the first one created.
      expect(await useStore(own)).toEqual({ ...plain, schema: name });
    } finally {
      await asAdmin(adminUrl, [
        `drop database if exists ${name} with (force)`,
        `drop role if exists ${name}`,
      ]);
    }
  });
});
