import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { certify } from '../testing/certificates.ts';
import { type OwnServer, startOwnServer } from '../testing/failover/own-server.ts';
import { server, silentLog } from '../testing/store/test-stores.ts';
import { offerTls } from '../testing/store/tls-server.ts';
import { openStore } from './store.ts';

// If the tests can start one server, they can start another.
describe.skipIf(server.isMissing)('a server with a certificate', () => {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
  const pem = (name: string): string => join(directory, `${name}.pem`);
  let own: OwnServer;

  beforeAll(async () => {
    const [ours, theirs] = [await certify(['authority'], null), await certify(['authority'], null)];
    const [shown, client] = [await certify(['localhost'], ours), await certify(['client'], ours)];
    writeFileSync(pem('ours'), ours.cert);
    writeFileSync(pem('theirs'), theirs.cert);
    writeFileSync(pem('client'), client.cert);
    writeFileSync(pem('client-key'), client.key);
    own = await startOwnServer();
    await expect(encrypted('sslmode=require')).rejects.toThrow(
      'it offers no TLS, which sslmode=require demands.',
    );
    await offerTls(own, { ca: ours.cert, cert: shown.cert, key: shown.key });
    // The server applies its new configuration a moment after the reload.
    await vi.waitFor(() => encrypted('sslmode=require'), { timeout: 30_000 });
  }, 120_000);

  afterAll(async () => {
    await own?.remove();
    rmSync(directory, { recursive: true });
  });

  /** Opens the store with these URL parameters; returns whether each of its connections is encrypted. */
  async function encrypted(words: string, host = '127.0.0.1'): Promise<boolean[]> {
    const url = `${own.url.replace('127.0.0.1', host)}?${words}`;
    const store = await openStore({ url, log: silentLog });
    try {
      await vi.waitFor(() => expect(store.session?.isHeard).toBe(true), { timeout: 30_000 });
      const { rows } = await sql<{ ssl: boolean }>`
        select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'gatecheck'`.execute(
        store.db,
      );
      return rows.map(({ ssl }) => ssl);
    } finally {
      await store.close();
    }
  }

  it.each([
    ['sslmode=disable', '127.0.0.1', false],
    ['sslmode=require', '127.0.0.1', true],
    [`sslmode=require&sslrootcert=${pem('ours')}`, '127.0.0.1', true],
    [`sslmode=verify-ca&sslrootcert=${pem('ours')}`, '127.0.0.1', true],
    [`sslmode=verify-full&sslrootcert=${pem('ours')}`, 'localhost', true],
  ])('is reached with %s at %s, with queries and notices encrypted: %s', async (words, host, isEncrypted) => {
    const all = await encrypted(words, host);
    expect(all.length).toBeGreaterThanOrEqual(2);
    expect(new Set(all)).toEqual(new Set([isEncrypted]));
  });

  it.each([
    [`sslmode=require&sslrootcert=${pem('theirs')}`, `is not issued by ${pem('theirs')}`],
    [`sslmode=verify-ca&sslrootcert=${pem('theirs')}`, `is not issued by ${pem('theirs')}`],
    [`sslmode=verify-full&sslrootcert=${pem('theirs')}`, `is not issued by ${pem('theirs')}`],
    ['sslmode=verify-full', 'is not issued by the authorities that are trusted by default'],
    [`sslmode=verify-full&sslrootcert=${pem('ours')}`, 'has another name, which sslmode=verify-full refuses'],
  ])('is refused with %s in a sentence', async (words, reason) => {
    await expect(encrypted(words)).rejects.toThrow(reason);
  });

  it('accepts the configured client certificate when it requires one', async () => {
    const mine = `sslcert=${pem('client')}&sslkey=${pem('client-key')}`;
    await own.query(
      `copy (select 'hostssl all all all scram-sha-256 clientcert=verify-ca') to program 'cat > pg_hba.conf'`,
    );
    await own.query('select pg_reload_conf()');
    await vi.waitFor(() => expect(encrypted('sslmode=require')).rejects.toThrow('certificate'), {
      timeout: 30_000,
    });
    expect(await encrypted(`sslmode=require&${mine}`)).not.toContain(false);
  });
});
