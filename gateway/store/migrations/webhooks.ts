import { sql } from 'kysely';

// A URL is stored as JSON, like all external text. The owner of an event is the process that makes its attempt; between
// attempts it has none. After a secret from the configuration ends, its row stays without the value.

/** Events that report to callers how their tasks ended, the result of each attempt, and the signing secrets. */
export const webhooks = [
  sql`
    create table webhook_events (
      id text primary key,
      task_id text not null unique,
      account_id text not null,
      receiver text not null,
      type text not null check (type in ('task.success', 'task.failed', 'task.expired')),
      url text not null,
      body text not null,
      state text not null check (state in ('pending', 'delivered', 'stopped', 'given_up')),
      generation integer not null default 0,
      place integer not null default 0,
      attempts integer not null default 0,
      is_manual boolean not null default false,
      created_at timestamptz not null,
      due_at timestamptz,
      ended_at timestamptz,
      holder text,
      claims integer not null default 0,
      check ((state = 'pending') = (due_at is not null)),
      check ((state = 'pending') = (ended_at is null))
    )`,
  sql`create index webhook_events_by_time on webhook_events (created_at, id)`,
  sql`create index webhook_events_by_account on webhook_events (account_id, created_at, id)`,
  sql`create index webhook_events_by_end on webhook_events (ended_at) where ended_at is not null`,
  sql`create index webhook_events_held on webhook_events (holder) where due_at is not null and holder is not null`,
  sql`
    create index webhook_events_due on webhook_events (due_at, receiver)
    where due_at is not null and holder is null`,
  sql`
    create index webhook_events_due_by_receiver on webhook_events (receiver, due_at, id)
    where due_at is not null and holder is null`,
  sql`
    create table webhook_attempts (
      event_id text not null references webhook_events (id) on delete cascade,
      n integer not null,
      at timestamptz not null,
      took_ms integer not null,
      status integer,
      failure text,
      is_manual boolean not null,
      primary key (event_id, n)
    )`,
  sql`
    create table webhook_secrets (
      account_id text not null,
      id text not null,
      sealed text,
      hint text not null,
      created_at timestamptz not null,
      ends_at timestamptz,
      seed_digest text,
      primary key (account_id, id),
      check (sealed is not null or ends_at is not null)
    )`,
];
