import type { Rows } from './rows.ts';
import {
  byText,
  jsonAt,
  longFields,
  type Statement,
  type StatementCall,
  selected,
  textAt,
  timeAt,
  written,
} from './statement.ts';
import type { EventRow, Tables, TaskRow } from './tables.ts';

/** The columns that every table of work has. */
type DueRow = Pick<TaskRow, 'id' | 'due_at' | 'holder'>;

/** A table of work, as its statements see it. */
interface WorkTable<Row extends DueRow> {
  readonly name: 'tasks' | 'webhook_events';
  /** How many times the share takes the current time as a parameter. */
  readonly shareParams: 0 | 1;
  rows(tables: Tables): Rows<Row>;
  share(row: Row, nowMs: number): string;
  /** When a due row changes its share; null for never. */
  shareChangesAt(row: Row): number | null;
  /** What a claim returns of a row, beside its share. */
  claimed(row: Row): Readonly<Record<string, unknown>>;
}

const claimedOfEvents = ['id', 'account_id', 'url', 'body', 'place', 'generation', 'is_manual'] as const;

const taskTable: WorkTable<TaskRow> = {
  name: 'tasks',
  shareParams: 1,
  rows: ({ tasks }) => tasks,
  share: ({ ending, deadline_at: deadline }, nowMs) =>
    ending === null && deadline.getTime() > nowMs ? 'calls' : 'ends',
  shareChangesAt: ({ deadline_at: deadline }) => deadline.getTime(),
  claimed: ({ holder: _holder, due_at: _due, ...row }) => ({
    ...row,
    fields: row.native_id !== null && Buffer.byteLength(row.fields) > longFields ? null : row.fields,
  }),
};

const eventTable: WorkTable<EventRow> = {
  name: 'webhook_events',
  shareParams: 0,
  rows: ({ events }) => events,
  share: ({ receiver }) => receiver,
  shareChangesAt: () => null,
  claimed: (row) => Object.fromEntries(claimedOfEvents.map((name) => [name, row[name]])),
};

function isFree(row: DueRow): boolean {
  return row.holder === null && row.due_at !== null;
}

function timeOf({ due_at: at }: DueRow): number {
  return at?.getTime() ?? 0;
}

function isHeld(row: DueRow): boolean {
  return row.holder !== null && row.due_at !== null;
}

function dueBy<Row extends DueRow>(rows: Rows<Row>, nowMs: number): Row[] {
  const due = rows.all().filter((row) => isFree(row) && timeOf(row) <= nowMs);
  return due.sort((one, other) => timeOf(one) - timeOf(other) || byText(one.id, other.id));
}

function statementsOf<Row extends DueRow>(table: WorkTable<Row>): Statement[] {
  const { name } = table;
  const named = (
    what: string,
    pattern: string,
    run: (call: StatementCall) => ReturnType<Statement['run']>,
  ) => ({
    name: `${what} ${name}`,
    matches: new RegExp(pattern.replace('TABLE', `"${name}"`)),
    run,
  });
  const releaseWhere = (call: StatementCall, isMeant: (row: DueRow) => boolean) => {
    const rows = table.rows(call.tables);
    const meant = rows.all().filter((row) => isHeld(row) && isMeant(row));
    for (const row of meant) rows.set(row.id, { ...row, holder: null });
    return meant;
  };
  return [
    named('due shares of', '^select share from \\(select .* from TABLE where holder is null', (call) => {
      const nowMs = timeAt(call, table.shareParams);
      const shares = dueBy(table.rows(call.tables), nowMs).map((row) => ({
        share: table.share(row, nowMs),
        atMs: timeOf(row),
      }));
      shares.sort((one, other) => one.atMs - other.atMs || byText(one.share, other.share));
      return selected([...new Set(shares.map(({ share }) => share))].map((share) => ({ share })));
    }),
    named('next time of', '^select least\\(\\(select min\\(due_at\\) from TABLE', (call) => {
      const nowMs = timeAt(call, 0);
      const free = table.rows(call.tables).all().filter(isFree);
      const later = free.map(timeOf).filter((atMs) => atMs > nowMs);
      const changes = table.shareParams === 0 ? [] : changesOf(table, call.tables, nowMs);
      const times = [...later, ...changes];
      return selected([{ at: times.length === 0 ? null : new Date(Math.min(...times)) }]);
    }),
    named('claim', '^with wanted as .* update TABLE set holder = ', (call) => claim(table, call)),
    named(
      'release all but some of',
      '^update TABLE set holder = null where .* and id <> all\\(\\$2::text\\[\\]\\) returning id$',
      (call) => {
        const known: unknown = call.params[1];
        const ids = Array.isArray(known) ? known.map(String) : [];
        const released = releaseWhere(
          call,
          ({ id, holder }) => holder === textAt(call, 0) && !ids.includes(id),
        );
        return written(
          released.length,
          released.map(({ id }) => ({ id })),
        );
      },
    ),
    named('other holders of', '^select distinct holder from TABLE where', (call) => {
      const held = table.rows(call.tables).all().filter(isHeld);
      const others = new Set(held.flatMap(({ holder }) => (holder === null ? [] : [holder])));
      others.delete(textAt(call, 0));
      return selected([...others].sort(byText).map((holder) => ({ holder })));
    }),
    named('release all', '^update TABLE set holder = null where .* and holder <> \\$1$', (call) =>
      written(releaseWhere(call, ({ holder }) => holder !== textAt(call, 0)).length),
    ),
    named('release holder of', '^update TABLE set holder = null where .* and holder = \\$1$', (call) =>
      written(releaseWhere(call, ({ holder }) => holder === textAt(call, 0)).length),
    ),
  ];
}

function changesOf<Row extends DueRow>(table: WorkTable<Row>, tables: Tables, nowMs: number): number[] {
  return dueBy(table.rows(tables), nowMs).flatMap((row) => {
    const atMs = table.shareChangesAt(row);
    return atMs !== null && atMs > nowMs ? [atMs] : [];
  });
}

function claim<Row extends DueRow>(table: WorkTable<Row>, call: StatementCall): ReturnType<Statement['run']> {
  const rows = table.rows(call.tables);
  const nowMs = timeAt(call, 1 + table.shareParams);
  const own = textAt(call, 2 + table.shareParams);
  const due = dueBy(rows, nowMs);
  const claimed = jsonAt<{ share: string; room: number }>(call, 0).flatMap(({ share, room }) =>
    due.filter((row) => table.share(row, nowMs) === share).slice(0, room),
  );
  for (const row of claimed) rows.set(row.id, { ...row, holder: own });
  const given = claimed.map((row) => ({ ...table.claimed(row), share: table.share(row, nowMs) }));
  return written(given.length, given);
}

/** The statements of work/, for both of its tables. */
export const dueStatements: readonly Statement[] = [...statementsOf(taskTable), ...statementsOf(eventTable)];
