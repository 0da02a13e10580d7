import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyHasher } from '../access/hash-key.ts';
import { seal } from '../testing/started-webhooks.ts';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { createSeal } from './seal.ts';
import { createSecretStore, type SecretStore } from './secret-store.ts';
import { seedSecrets } from './seed-secrets.ts';

const now = 1_800_000_000_000;
const day = 86_400_000;
const secret = (n: number): string => `whsec_${Buffer.alloc(32, n).toString('base64')}`;

describe.each(storeKinds)('webhook secrets on a store of kind $name', ({ fresh }) => {
  const store = storeOf(fresh);
  let secrets: SecretStore;
  beforeAll(async () => {
    secrets = createSecretStore(store.db, seal);
  });
  beforeEach(async () => {
    await store.db.deleteFrom('webhook_secrets').execute();
  });
  const signing = async (at = now, account = 'acc'): Promise<readonly string[] | undefined> =>
    (await secrets.signing([account], at)).get(account);
  const seed = (configured: Record<string, string>, nowMs = now): Promise<void> =>
    seedSecrets(
      store.db,
      Object.entries(configured).map(([id, webhook_secret]) => ({ id, webhook_secret })),
      { seal: seal, digestOf: keyHasher('a pepper for tests'), overlapMs: day, nowMs },
    );

  it("are created once, at an account's first event", async () => {
    const [one, two] = await Promise.all([signing(), secrets.signing(['acc', 'other'], now)]);
    expect(one).toEqual([expect.stringMatching(/^whsec_/)]);
    expect(two.get('acc')).toEqual(one);
    expect(two.get('other')).not.toEqual(one);
    expect(await secrets.list('acc', now)).toEqual([
      { id: 'first', accountId: 'acc', hint: one?.[0]?.slice(-4), createdAtMs: now, endsAtMs: null },
    ]);
  });

  it('sign together with their predecessors during an overlap, newest first', async () => {
    const first = await secrets.rotate('acc', day, now);
    const second = await secrets.rotate('acc', day, now + 1);
    expect(await signing(now + 2)).toEqual([second.secret, first.secret]);
    const third = await secrets.rotate('acc', day / 2, now + 2);
    expect(await signing(now + 3)).toEqual([third.secret, second.secret, first.secret]);
    const ends = now + 2 + day / 2;
    expect((await secrets.list('acc', now + 3)).map((one) => one.endsAtMs)).toEqual([null, ends, ends]);
    expect(await signing(ends)).toEqual([third.secret]);
    const fourth = await secrets.rotate('acc', 0, ends);
    expect(await signing(ends)).toEqual([fourth.secret]);
    expect(JSON.stringify(await secrets.list('acc', ends))).not.toContain(fourth.secret);
  });

  it('end early on request, except the current one', async () => {
    const old = await secrets.rotate('acc', day, now);
    const current = await secrets.rotate('acc', day, now);
    expect(await secrets.end('acc', current.id, now)).toBe(false);
    expect(await secrets.end('other', old.id, now)).toBe(false);
    expect(await secrets.end('acc', old.id, now)).toBe(true);
    expect(await secrets.end('acc', old.id, now)).toBe(false);
    expect(await signing()).toEqual([current.secret]);
  });

  it('come from the configuration, and a changed one takes over with an overlap', async () => {
    await seed({ acc: secret(1), other: secret(2) });
    await seed({ acc: secret(1), other: secret(2) }, now + 1);
    expect(await secrets.list('acc', now)).toMatchObject([{ id: 'configured', createdAtMs: now }]);
    await seed({ acc: secret(3), other: secret(2) }, now + 2);
    expect(await signing(now + 3)).toEqual([secret(3), secret(1)]);
    expect(await signing(now + 3, 'other')).toEqual([secret(2)]);
    expect(await signing(now + 2 + day)).toEqual([secret(3)]);
  });

  it('changed by an administrator persist while the configuration stays the same', async () => {
    await seed({ acc: secret(1) });
    const later = await secrets.rotate('acc', day, now + 1);
    expect(await secrets.end('acc', 'configured', now + 2)).toBe(true);
    await seed({ acc: secret(1) }, now + 3);
    expect(await signing(now + 4)).toEqual([later.secret]);
    await secrets.rotate('acc', 0, now + 5);
    await seed({ acc: secret(1) }, now + 6);
    expect(await signing(now + 7)).not.toContain(secret(1));
    await seed({ acc: secret(4) }, now + 8);
    expect((await signing(now + 9))?.[0]).toBe(secret(4));
  });

  it('are stored only encrypted, and are replaced if none can be decrypted', async () => {
    await seed({ acc: secret(1) });
    const rotated = await secrets.rotate('acc', day, now);
    const dump = JSON.stringify(await store.db.selectFrom('webhook_secrets').selectAll().execute());
    for (const text of [secret(1), rotated.secret]) expect(dump).not.toContain(text.slice(6, 30));
    const elsewhere = createSecretStore(store.db, createSeal('another pepper'));
    const made = (await elsewhere.signing(['acc'], now + 1)).get('acc');
    expect(made).toHaveLength(1);
    expect((await elsewhere.signing(['acc'], now + 2)).get('acc')).toEqual(made);
  });
});
