import type { Kysely } from 'kysely';
import type { Database } from '../../store/database.ts';
import { seedAccounts } from '../../store/seed-accounts.ts';
import { seedRows } from '../../store/seed-rows.ts';
import { account, key } from './sample-seed.ts';

/** Seeds the account `acct` with one user, one app and the key `k`, whose hash is its secret, `one`. */
export async function seedOneKey(db: Kysely<Database>): Promise<void> {
  const seeded = account({
    users: [{ id: 'u', cap: 1 }],
    apps: [{ id: 'a', markup_bp: 0, model_markup_bp: {} }],
    keys: [key({ id: 'k', user: 'u', app: 'a', secret: 'one' })],
  });
  await seedAccounts(
    db,
    seedRows({ accounts: [seeded], prices: [] }, (secret) => secret),
  );
}
