import { type Insertable, type Selectable, sql } from 'kysely';
import type { TaskPrice } from '../billing/task-price.ts';
import type { JsonObject } from '../http/parse-json.ts';
import type { Task, TaskEnding } from '../services/tasks/task.ts';
import type { NewTask } from '../services/tasks/tasks.ts';
import type { TasksTable } from '../store/work-tables.ts';

/** The content of `details`; money as digits. */
interface Details {
  readonly webhookUrl: string | null;
  /** A field that its result is measured by, which must be known however long the others are. */
  readonly duration?: unknown;
  readonly price: Omit<TaskPrice, 'unitPico'> & { readonly unitPico: string };
}

/** Maximum size of fields kept in memory with a task. Larger ones, such as an image, are read when needed. */
const maxCarriedBytes = 4_096;

/** The columns read for a task. Fields that are too large to keep in memory are null. */
export type TaskRow = Pick<Selectable<TasksTable>, (typeof taskColumns)[number]> & {
  readonly fields: string | null;
};

/** The columns of a TaskRow, except the fields. */
export const taskColumns = [
  'id',
  'request_id',
  'account_id',
  'user_id',
  'app_id',
  'key_id',
  'model',
  'medium',
  'action',
  'details',
  'parents',
  'channels_of',
  'status',
  'submitted_at',
  'deadline_at',
  'channel_id',
  'native_id',
  'start_tries',
  'poll_tries',
  'ending',
  'ended_at',
] as const;

/** The fields of a TaskRow, unless they are too long. */
export const shortFields = sql<
  string | null
>`case when octet_length(fields) <= ${sql.lit(maxCarriedBytes)} then fields end`;

/** Approximate bytes that a task occupies in the database without its fields, and those of an event without its URL. */
const bareTaskBytes = 2_000;
const bareEventBytes = 2_000;

/** The row of a new task. */
export function newRow(task: NewTask): Insertable<TasksTable> & { readonly bytes: number } {
  const { webhookUrl, price } = task;
  const fields = JSON.stringify(task.fields);
  const submittedAt = new Date(task.submittedAtMs);
  // The URL stays with the task and with its event.
  const eventBytes = webhookUrl === null ? 0 : bareEventBytes + 2 * Buffer.byteLength(webhookUrl);
  const { duration } = task.fields;
  const details: Details = {
    webhookUrl,
    ...(duration !== undefined && { duration }),
    price: { ...price, unitPico: price.unitPico.toString() },
  };
  return {
    id: task.id,
    request_id: task.requestId,
    account_id: task.accountId,
    user_id: task.userId,
    app_id: task.appId,
    key_id: task.keyId,
    model: task.model,
    medium: task.medium,
    action: task.action,
    fields,
    bytes: bareTaskBytes + eventBytes + Buffer.byteLength(fields),
    details: JSON.stringify(details),
    parents: [...task.parents],
    channels_of: [...task.channelsOf],
    status: 'QUEUED',
    submitted_at: submittedAt,
    deadline_at: new Date(task.deadlineAtMs),
    due_at: submittedAt,
    poll_at: submittedAt,
    notify_from: submittedAt,
    channel_id: task.channelId,
  };
}

/** The columns that a step changes, in a form that passes through JSON without loss. */
export function changedRow(task: Task) {
  return {
    id: task.id,
    status: task.status,
    channel_id: task.channelId,
    native_id: task.nativeId === null ? null : JSON.stringify(task.nativeId),
    start_tries: task.startTries,
    poll_tries: task.pollTries,
    ending: task.ending === null ? null : JSON.stringify(task.ending),
    ended_at: task.endedAtMs === null ? null : new Date(task.endedAtMs).toISOString(),
  };
}

/** The task of a row. Its JSON was written by this program, so it is trusted. */
export function taskOf(row: TaskRow): Task {
  const { webhookUrl, price, duration }: Details = JSON.parse(row.details);
  const fields: JsonObject =
    row.fields === null ? (duration === undefined ? {} : { duration }) : JSON.parse(row.fields);
  const nativeId: string | null = row.native_id === null ? null : JSON.parse(row.native_id);
  const ending: TaskEnding | null = row.ending === null ? null : JSON.parse(row.ending);
  return {
    id: row.id,
    requestId: row.request_id,
    accountId: row.account_id,
    userId: row.user_id,
    appId: row.app_id,
    keyId: row.key_id,
    model: row.model,
    medium: row.medium,
    action: row.action,
    fields,
    parents: row.parents,
    webhookUrl,
    channelsOf: row.channels_of,
    price: { ...price, unitPico: BigInt(price.unitPico) },
    status: row.status,
    submittedAtMs: row.submitted_at.getTime(),
    deadlineAtMs: row.deadline_at.getTime(),
    channelId: row.channel_id,
    nativeId,
    startTries: row.start_tries,
    pollTries: row.poll_tries,
    ending,
    endedAtMs: row.ended_at?.getTime() ?? null,
  };
}
