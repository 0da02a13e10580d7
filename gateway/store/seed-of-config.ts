import { priceRow } from '../config/list-price.ts';
import { statedPrices } from '../config/stated-prices.ts';
import type { Config } from '../config.ts';
import type { Seed } from './seed-rows.ts';

/** The accounts and prices of the configuration, in the form that seeds the database. */
export function seedOfConfig({ accounts, prices }: Pick<Config, 'accounts' | 'prices'>): Seed {
  return {
    accounts: accounts.map((account) => ({
      ...account,
      keys: account.keys.map((key) => ({
        ...key,
        expires_at: key.expires_at === undefined ? null : new Date(key.expires_at),
      })),
    })),
    prices: Object.entries({ ...statedPrices, ...prices }).map(([modelId, price]) =>
      priceRow(modelId, price),
    ),
  };
}
