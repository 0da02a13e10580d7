import {
  byText,
  insertedRows,
  jsonAt,
  type Statement,
  selected,
  textAt,
  timeAt,
  written,
} from './statement.ts';
import type { EventRow } from './tables.ts';

/** A finished attempt as its statement states it. */
interface Noted {
  readonly id: string;
  readonly generation: number;
  readonly place: number;
  readonly is_manual: boolean;
  readonly at: string;
  readonly took_ms: number;
  readonly status: number | null;
  readonly failure: string | null;
  readonly state: EventRow['state'];
  readonly due_at: string | null;
  readonly ended_at: string | null;
}

const keepEvents: Statement = {
  name: 'keep events',
  matches: /^insert into "webhook_events" \(.* on conflict \("task_id"\) do nothing$/,
  run: (call) => {
    const { events } = call.tables;
    const known = new Set(events.all().map((row) => row.task_id));
    const fresh = insertedRows(call).filter(({ task_id: id }) => !known.has(String(id)));
    for (const row of fresh) {
      const defaults = {
        generation: 0,
        place: 0,
        attempts: 0,
        is_manual: false,
        ended_at: null,
        holder: null,
      };
      events.set(String(row.id), { ...(row as unknown as EventRow), ...defaults });
    }
    return written(fresh.length);
  },
};

const noteAttempts: Statement = {
  name: 'note attempts',
  matches: /^with x as \( select \* from json_to_recordset\(\$1::json\).* update webhook_events as e set/,
  run: (call) => {
    const { events, attempts } = call.tables;
    const own = textAt(call, 1);
    const rows = jsonAt<Noted>(call, 0).flatMap((noted) => {
      const row = events.get(noted.id);
      if (row === undefined || row.holder !== own) return [];
      const changed = changedRow(row, noted);
      events.set(row.id, changed);
      const { took_ms, status, failure, is_manual } = noted;
      attempts.set(`${row.id} ${changed.attempts}`, {
        event_id: row.id,
        n: changed.attempts,
        at: new Date(noted.at),
        ...{ took_ms, status, failure, is_manual },
      });
      return [{ id: row.id, due_at: changed.due_at }];
    });
    return { rows, written: null };
  },
};

function changedRow(row: EventRow, noted: Noted): EventRow {
  const common = { ...row, holder: null, attempts: row.attempts + 1 };
  if (row.generation !== noted.generation) return common;
  return {
    ...common,
    state: noted.state,
    place: noted.place,
    due_at: noted.due_at === null ? null : new Date(noted.due_at),
    ended_at: noted.ended_at === null ? null : new Date(noted.ended_at),
    is_manual: false,
  };
}

const forgetEvents: Statement = {
  name: 'forget events',
  matches:
    /^with "old" as \(select "id" from "webhook_events" where "ended_at" < \$1 order by "ended_at" limit \$2 for update skip locked\) delete from "webhook_events" using "old" where "webhook_events"."id" = "old"."id"$/,
  run: (call) => {
    const { events, attempts } = call.tables;
    const endOf = ({ ended_at: at }: EventRow): number => at?.getTime() ?? Number.POSITIVE_INFINITY;
    const old = events
      .all()
      .filter((row) => endOf(row) < timeAt(call, 0))
      .sort((one, other) => endOf(one) - endOf(other))
      .slice(0, Number(call.params[1]));
    for (const { id, attempts: count } of old) {
      events.delete(id);
      for (let n = 1; n <= count; n += 1) attempts.delete(`${id} ${n}`);
    }
    return written(old.length);
  },
};

const signingSecrets: Statement = {
  name: 'signing secrets',
  matches: /^select \* from "webhook_secrets" where "account_id" in \(/,
  run: (call) => {
    const accounts = call.params.slice(0, -1).map(String);
    const nowMs = timeAt(call, call.params.length - 1);
    const found = call.tables.secrets
      .all()
      .filter(
        (row) => accounts.includes(row.account_id) && (row.ends_at === null || row.ends_at.getTime() > nowMs),
      );
    found.sort(
      (one, other) => other.created_at.getTime() - one.created_at.getTime() || byText(one.id, other.id),
    );
    return selected(found.map((row) => ({ ...row })));
  },
};

/** The statements of webhooks/, but for those of its loop. */
export const eventStatements: readonly Statement[] = [keepEvents, noteAttempts, forgetEvents, signingSecrets];
