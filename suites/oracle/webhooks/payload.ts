import { isJsonObject } from '../../values/json.ts';
import { eventJson, type ReceivedEvent } from '../../wire/received-event.ts';
import { type TaskStatus, taskStatuses } from '../media/task-answer.ts';

/** The content of a payload, as far as it can be read (reading B-113: its form is not prescribed). */
export interface Payload {
  /** Whether it is a JSON object. */
  readonly isObject: boolean;
  /** The object in it that names a task. */
  readonly record: Readonly<Record<string, unknown>> | null;
  readonly taskId: string | null;
  /** The status of the task, from its status member or else from the name of the event. */
  readonly status: TaskStatus | null;
  /** The name of the event. */
  readonly type: string | null;
  /** The status in this name; null when it contains none that we know. */
  readonly statusOfType: TaskStatus | null;
}

type Members = Readonly<Record<string, unknown>>;

const idNames = ['task_id', 'taskId', 'id'] as const;
const typeNames = ['type', 'event', 'event_type', 'eventType'] as const;
/** The maximum depth of a record in an envelope. */
const maxDepth = 3;

/** Words in the name of an event, each with the status that it means. */
const words: readonly (readonly [RegExp, TaskStatus])[] = [
  [/succe|complet|finish/i, 'SUCCESS'],
  [/fail|error/i, 'FAILED'],
  [/expir|time/i, 'EXPIRED'],
  [/queue/i, 'QUEUED'],
  [/running|progress|start/i, 'RUNNING'],
];

/** Reads the content of a payload, at any place in it. */
export function readPayload(event: Pick<ReceivedEvent, 'body'>): Payload {
  const root = eventJson(event);
  if (!isJsonObject(root))
    return { isObject: false, record: null, taskId: null, status: null, type: null, statusOfType: null };
  const record = recordIn(root);
  const type = textOf(root, typeNames);
  return {
    isObject: true,
    record,
    taskId: record === null ? null : textOf(record, idNames),
    status: statusOf(record?.status) ?? statusOf(root.status),
    type,
    statusOfType: words.find(([pattern]) => type !== null && pattern.test(type))?.[1] ?? null,
  };
}

/** The first object from the outside in with a task_id, else the first with an id and a status. */
function recordIn(root: Members): Members | null {
  const all = objectsIn(root);
  return (
    all.find((one) => typeof one.task_id === 'string' || typeof one.taskId === 'string') ??
    all.find((one) => typeof one.id === 'string' && statusOf(one.status) !== null) ??
    null
  );
}

function objectsIn(root: Members): Members[] {
  const all: Members[] = [];
  let level: Members[] = [root];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth += 1) {
    all.push(...level);
    level = level.flatMap((one) => Object.values(one).filter(isJsonObject));
  }
  return all;
}

function textOf(members: Members, names: readonly string[]): string | null {
  for (const name of names) {
    const value = members[name];
    if (typeof value === 'string') return value;
  }
  return null;
}

function statusOf(value: unknown): TaskStatus | null {
  const text = typeof value === 'string' ? value.toUpperCase() : '';
  return taskStatuses.find((status) => status === text) ?? null;
}
