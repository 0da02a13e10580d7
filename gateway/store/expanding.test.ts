import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { describe, expect, it } from 'vitest';
import { allMigrations, isContracting } from './migrations.ts';

// Processes of the release before go on beside a migration, and may start on what it left. These statements break them.
const breaking: readonly (readonly [what: string, statement: RegExp])[] = [
  ['takes something away', /\bdrop\s+(?!trigger|index)\w+/i],
  ['renames something', /\brename\s+(?:to|column|constraint)\b/i],
  ['changes the type of a column', /\balter\s+column\s+\S+\s+(?:set\s+data\s+)?type\b/i],
  ['demands what was optional', /\bset\s+not\s+null\b/i],
  [
    'demands a new column of whoever does not know it',
    /\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?(?!constraint)\w+\s[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)(?<!\bdefault\b[^,;]*)/i,
  ],
  ['checks rows more strictly', /\badd\s+constraint\b/i],
];

/** What a statement does that an earlier program would not bear; null for one that only adds. */
function harmOf(statement: string): string | null {
  return breaking.find(([, pattern]) => pattern.test(statement))?.[0] ?? null;
}

/** The statements of a migration, without a database. */
async function statementsOf(name: string): Promise<string[]> {
  const seen: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (one) => new PostgresIntrospector(one),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }: { query: CompiledQuery }) => void seen.push(query.sql),
  });
  await allMigrations[name]?.up(db);
  return seen;
}

/** There was no release before these. */
const firstRelease = '0011-directory-readers';

describe('a migration after the first release', () => {
  it('only adds, or says by its name that it takes away', async () => {
    const later = Object.keys(allMigrations).filter((name) => name > firstRelease && !isContracting(name));
    const harms: string[] = [];
    for (const name of later)
      for (const statement of await statementsOf(name)) {
        const harm = harmOf(statement);
        if (harm !== null) harms.push(`${name} ${harm}: ${statement}`);
      }
    expect(harms).toEqual([]);
  });

  it('is read statement by statement', async () => {
    expect(await statementsOf('0010-channel-keys')).toHaveLength(1);
    const harms = (await statementsOf('0007-exposure-blocks')).map(harmOf);
    expect(harms).toContain('takes something away');
  });
});

it.each([
  ['drop table tasks', 'takes something away'],
  ['drop function post_holds(json, text)', 'takes something away'],
  ['alter table tasks drop column state', 'takes something away'],
  ['alter table tasks rename column state to status', 'renames something'],
  ['alter table tasks rename to jobs', 'renames something'],
  ['alter table tasks alter column n type bigint', 'changes the type of a column'],
  ['alter table tasks alter column n set not null', 'demands what was optional'],
  ['alter table tasks add column n integer not null', 'demands a new column of whoever does not know it'],
  ['alter table tasks add n integer not null', 'demands a new column of whoever does not know it'],
  ['alter table tasks add constraint c check (n > 0)', 'checks rows more strictly'],
  ['alter table tasks add column n integer not null default 0', null],
  ['alter table tasks add column n integer default 0 not null', null],
  ['alter table tasks add column n integer', null],
  ['create table later (id text primary key, n integer not null)', null],
  ['create index later on tasks (n)', null],
  ['drop index later', null],
  ['create or replace function post_ends(settles json) returns void as $$ $$ language sql', null],
])('%s: %s', (statement, harm) => {
  expect(harmOf(statement)).toBe(harm);
});
