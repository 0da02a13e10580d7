import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { PriceRow, TokenPriceRow, UnitPriceRow } from '../../money/price-row.ts';
import type { Database } from '../../store/database.ts';
import { seedAccounts } from '../../store/seed-accounts.ts';
import { type AccountSeed, type KeySeed, seedRows } from '../../store/seed-rows.ts';

// For tests only: accounts and prices as a configuration could list them.

export const seedSecret = 'sk-app-Zq81mmVd0pX7uLrT4wYe2Kc9';

export function hashKey(secret: string): string {
  return createHmac('sha256', 'pepper').update(secret).digest('hex');
}

export function key(overrides: Partial<KeySeed> = {}): KeySeed {
  return {
    id: 'k1',
    user: 'u1',
    app: 'a1',
    secret: seedSecret,
    disabled: false,
    expires_at: null,
    allow: [],
    ...overrides,
  };
}

export function account(overrides: Partial<AccountSeed> = {}): AccountSeed {
  return {
    id: 'acct',
    models: 'all',
    prepaid: false,
    overdraft: 0n,
    monthly_tokens: null,
    users: [{ id: 'u1', cap: 3 }],
    apps: [{ id: 'a1', markup_bp: 0, model_markup_bp: {} }],
    keys: [key()],
    ...overrides,
  };
}

/** An account that shares no id with `account`. */
export function otherAccount(overrides: Partial<AccountSeed> = {}): AccountSeed {
  return account({
    id: 'other',
    users: [{ id: 'u2', cap: 3 }],
    apps: [{ id: 'a2', markup_bp: 0, model_markup_bp: {} }],
    keys: [key({ id: 'k2', user: 'u2', app: 'a2', secret: `${seedSecret}-2` })],
    ...overrides,
  });
}

/** Seeds only these accounts and prices. */
export async function seedThese(
  db: Kysely<Database>,
  accounts: readonly AccountSeed[],
  prices: readonly PriceRow[] = [],
): Promise<void> {
  await seedAccounts(db, seedRows({ accounts, prices }, hashKey));
}

export function price(modelId: string, overrides: Partial<TokenPriceRow> = {}): TokenPriceRow {
  return {
    model_id: modelId,
    input_pico: 2_500_000n,
    output_pico: 10_000_000n,
    cached_percent: 25,
    write_5m_percent: 100,
    write_1h_percent: 100,
    ...overrides,
  };
}

export function unitPrice(modelId: string, overrides: Partial<UnitPriceRow> = {}): UnitPriceRow {
  return { model_id: modelId, unit: 'image', unit_pico: 40_000_000_000n, quality_pico: null, ...overrides };
}
