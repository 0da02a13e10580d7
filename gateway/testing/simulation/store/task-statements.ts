import pg from 'pg';
import {
  byText,
  columnsIn,
  insertedRows,
  jsonAt,
  longFields,
  type Statement,
  type StatementCall,
  selected,
  textAt,
  timeAt,
  written,
} from './statement.ts';
import type { TaskRow } from './tables.ts';

/** A change as a step states it. */
interface Change
  extends Pick<
    TaskRow,
    'id' | 'status' | 'channel_id' | 'native_id' | 'start_tries' | 'poll_tries' | 'ending'
  > {
  readonly ended_at: string | null;
  readonly due_at?: string;
  readonly polls?: number;
  readonly notify_from?: string;
  readonly generation?: number;
}

const addTasks: Statement = {
  name: 'add tasks',
  matches: /^insert into "tasks" \(/,
  run: (call) => {
    const rows = insertedRows(call);
    for (const row of rows) {
      const id = String(row.id);
      if (call.tables.tasks.has(id)) throw uniqueViolation();
      call.tables.tasks.set(id, {
        ...(row as unknown as TaskRow),
        native_id: null,
        start_tries: 0,
        poll_tries: 0,
        ending: null,
        ended_at: null,
        holder: null,
        generation: 0,
        polls: 0,
      });
    }
    return written(rows.length);
  },
};

function uniqueViolation(): Error {
  const error = new pg.DatabaseError('duplicate key value violates unique constraint', 0, 'error');
  error.code = '23505';
  return error;
}

const saveTasks: Statement = {
  name: 'save tasks',
  matches: /^update tasks as t set status = x\.status/,
  run: (call) => {
    const { tasks } = call.tables;
    const own = textAt(call, 2);
    const rows = jsonAt<Change>(call, 0).flatMap((change) => {
      const row = tasks.get(change.id);
      if (row === undefined || row.holder !== own || row.ended_at !== null) return [];
      if (row.ending !== null && row.ending !== change.ending) return [];
      if (row.native_id !== null && row.native_id !== change.native_id) return [];
      const saved = savedRow(row, change);
      tasks.set(row.id, saved);
      return [{ id: row.id, due_at: saved.due_at }];
    });
    return written(rows.length, rows);
  },
};

function savedRow(row: TaskRow, change: Change): TaskRow {
  const { status, channel_id, native_id, start_tries, poll_tries, ending } = change;
  const dueAt = change.due_at === undefined ? null : new Date(change.due_at);
  const notifyFrom = change.notify_from === undefined ? null : new Date(change.notify_from);
  return {
    ...row,
    ...{ status, channel_id, native_id, start_tries, poll_tries, ending },
    ended_at: change.ended_at === null ? null : new Date(change.ended_at),
    due_at: change.ended_at !== null ? null : nextDue(row, change, dueAt, notifyFrom),
    holder: dueAt === null ? row.holder : null,
    poll_at: dueAt ?? row.poll_at,
    polls: change.polls ?? row.polls,
    notify_from: notifyFrom ?? row.notify_from,
  };
}

function nextDue(row: TaskRow, change: Change, dueAt: Date | null, notifyFrom: Date | null): Date | null {
  if (dueAt === null) return row.due_at;
  if (row.generation === change.generation) return dueAt;
  // As greatest() and least() do, nulls are left out.
  const asked = Math.max(row.due_at?.getTime() ?? 0, notifyFrom?.getTime() ?? 0);
  return new Date(Math.min(dueAt.getTime(), asked));
}

const findTask: Statement = {
  name: 'find task',
  matches: /^select .* from "tasks" where "id" = \$1$/,
  run: (call) => {
    const row = call.tables.tasks.get(textAt(call, 0));
    return selected(row === undefined ? [] : [readRow(call, row)]);
  },
};

const endedBefore: Statement = {
  name: 'tasks ended before',
  matches: /^select .* from "tasks" where "ended_at" < \$1 order by "ended_at" limit \$2$/,
  run: (call) => {
    const ended = call.tables.tasks
      .all()
      .filter(({ ended_at: at }) => at !== null && at.getTime() < timeAt(call, 0));
    ended.sort(
      (one, other) =>
        (one.ended_at?.getTime() ?? 0) - (other.ended_at?.getTime() ?? 0) || byText(one.id, other.id),
    );
    return selected(ended.slice(0, Number(call.params[1])).map((row) => readRow(call, row)));
  },
};

/** The columns that a query reads; the last is a case over the fields. */
function readRow({ text }: StatementCall, row: TaskRow): Readonly<Record<string, unknown>> {
  const list = /^select (.*?), case when/.exec(text)?.[1] ?? '';
  const all: Readonly<Record<string, unknown>> = { ...row };
  const read = Object.fromEntries(columnsIn(list).map((name) => [name, all[name]]));
  return { ...read, fields: Buffer.byteLength(row.fields) <= longFields ? row.fields : null };
}

const resume: Statement = {
  name: 'resume tasks',
  matches:
    /^update "tasks" set "holder" = \$1, "due_at" = \$2, "poll_at" = \$3, "polls" = \$4 where "ended_at" is null and \("holder" is null or "holder" <> \$5\)$/,
  run: (call) => {
    const at = new Date(timeAt(call, 1));
    const open = call.tables.tasks
      .all()
      .filter((row) => row.ended_at === null && row.holder !== textAt(call, 4));
    for (const row of open)
      call.tables.tasks.change(row.id, { holder: null, due_at: at, poll_at: at, polls: 0 });
    return written(open.length);
  },
};

const findJobs: Statement = {
  name: 'find jobs',
  matches: /^select "id", "channel_id", "native_id", "ended_at" from "tasks" where "native_id" = any\(\$1\)$/,
  run: (call) => {
    const asked: unknown = call.params[0];
    const ids = Array.isArray(asked) ? asked.map(String) : [];
    const found = call.tables.tasks
      .all()
      .filter((row) => row.native_id !== null && ids.includes(row.native_id));
    return selected(
      found.map(({ id, channel_id, native_id, ended_at }) => ({ id, channel_id, native_id, ended_at })),
    );
  },
};

const notifyTask: Statement = {
  name: 'notify task',
  matches: /^update tasks set generation = generation \+ 1/,
  run: (call) => {
    const { tasks } = call.tables;
    const row = tasks.get(textAt(call, 1));
    if (row === undefined || row.ended_at !== null) return written(0);
    const from = Math.max(row.notify_from.getTime(), timeAt(call, 0));
    const due_at = new Date(Math.min(row.due_at?.getTime() ?? from, from));
    tasks.set(row.id, { ...row, generation: row.generation + 1, due_at });
    return written(1, [{ due_at }]);
  },
};

const deleteTasks: Statement = {
  name: 'delete tasks',
  matches: /^delete from "tasks" where "id" in \(/,
  run: (call) => written(call.params.filter((id) => call.tables.tasks.delete(String(id))).length),
};

/** The statements of tasks/, but for those of its loop. */
export const taskStatements: readonly Statement[] = [
  addTasks,
  saveTasks,
  findTask,
  endedBefore,
  resume,
  findJobs,
  notifyTask,
  deleteTasks,
];
