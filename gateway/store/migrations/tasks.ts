import { sql } from 'kysely';

// Columns with external text (fields, details, native_id, ending) are JSON in a text column. JSON escapes can hold characters
// that PostgreSQL text cannot, and no query reads inside.

/** Jobs that callers submitted, until their retention ends, and the process that works on each. */
export const tasks = [
  sql`
    create table tasks (
      id text primary key,
      request_id text not null unique,
      account_id text not null,
      user_id text not null,
      app_id text not null,
      key_id text not null,
      model text not null,
      medium text not null check (medium in ('image', 'video', 'audio')),
      action text,
      fields text not null,
      details text not null,
      bytes integer not null default 0,
      parents text[] not null,
      channels_of text[] not null,
      status text not null check (status in ('QUEUED', 'RUNNING', 'SUCCESS', 'FAILED', 'EXPIRED')),
      submitted_at timestamptz not null,
      deadline_at timestamptz not null,
      channel_id text,
      native_id text,
      start_tries integer not null default 0,
      poll_tries integer not null default 0,
      ending text,
      ended_at timestamptz,
      due_at timestamptz,
      holder text,
      claims integer not null default 0,
      generation integer not null default 0,
      polls integer not null default 0,
      poll_at timestamptz not null,
      notify_from timestamptz not null,
      check ((ended_at is null) = (status in ('QUEUED', 'RUNNING'))),
      check (ended_at is null or ending is not null),
      check ((ended_at is null) = (due_at is not null))
    )`,
  // Bytes that the tasks of each account occupy; new tasks are rejected beyond a limit.
  sql`create table task_bytes (account_id text primary key, bytes bigint not null)`,
  sql`create index tasks_by_time on tasks (submitted_at, id)`,
  sql`create index tasks_by_account on tasks (account_id, submitted_at, id)`,
  sql`create index tasks_by_end on tasks (ended_at) where ended_at is not null`,
  sql`create index tasks_due on tasks (due_at, id) where due_at is not null and holder is null`,
  sql`create index tasks_held on tasks (holder) where due_at is not null and holder is not null`,
  // A hash index, because an upstream's id as JSON may be longer than an ordinary index entry allows.
  sql`create index tasks_by_job on tasks using hash (native_id)`,
];
