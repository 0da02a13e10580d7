import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// The hash is unique per statement, not per row, so that two keys can swap their secrets in one update.
const STATEMENTS = [
  sql`
    create table accounts (
      id text primary key,
      models text[],
      created_at timestamptz not null default now()
    )`,
  sql`
    create table users (
      id text primary key,
      account_id text not null references accounts (id),
      cap integer not null check (cap > 0),
      unique (account_id, id)
    )`,
  sql`
    create table apps (
      id text primary key,
      account_id text not null references accounts (id),
      markup_bp integer not null,
      unique (account_id, id)
    )`,
  sql`
    create table api_keys (
      id text primary key,
      account_id text not null references accounts (id),
      user_id text not null,
      app_id text not null,
      hash text not null unique deferrable initially immediate,
      prefix text not null,
      last4 text not null,
      disabled boolean not null default false,
      expires_at timestamptz,
      allow text[] not null default '{}',
      foreign key (account_id, user_id) references users (account_id, id),
      foreign key (account_id, app_id) references apps (account_id, id)
    )`,
];

/** Accounts, their users and apps, and the keys; a key's user and app are of the key's account. */
export const createAccounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) {
      await statement.execute(db);
    }
  },
};
