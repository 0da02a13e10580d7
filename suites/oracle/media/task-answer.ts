import { advise, type Finding, flag } from '../../rules/violation.ts';
import { type Exchange, errorCodeOf, jsonOf } from '../../wire/exchange.ts';
import { shapeFault } from '../../wire/shapes.ts';
import { judgeChannelName } from '../channel-name.ts';
import { type ErrorBody, judgeErrorMembers } from '../refusal.ts';
import { isAbsolute } from './images-answer.ts';
import { readAnswer, timeOf } from './json-answer.ts';
import { mediaModel } from './models.ts';

export const taskStatuses = ['QUEUED', 'RUNNING', 'SUCCESS', 'FAILED', 'EXPIRED'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export function isTerminal(status: TaskStatus): boolean {
  return status !== 'QUEUED' && status !== 'RUNNING';
}

/** The answer to a submission that was accepted. */
export interface AcceptedTask {
  readonly taskId: string;
  readonly submitTime: string | null;
  /** Violated advice; no rule is violated. */
  readonly advice: readonly Finding[];
}

export interface ExpectedTask {
  /** The rule that acceptance itself proves. The default is that a submission answers with an id. */
  readonly requirement?: string;
  readonly aspect?: string;
  /** Whether submit_time is required. The default follows from the model of the request. */
  readonly video?: boolean;
  readonly twin?: Exchange | undefined;
  readonly clockAheadMs?: number;
}

/** A record of a task from one read, with each member judged by itself. */
export interface TaskRecord {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly resultUrls: readonly string[];
  /** Whether result_urls holds the results; otherwise every URL of the record counts (reading B-69). */
  readonly namesResults: boolean;
  readonly durationSec: number | null;
  readonly submitTime: string | null;
  /** Why it failed, where the deployment reports it (reading B-72). */
  readonly error: ErrorBody | null;
  readonly exchange: Exchange;
}

/** Judges the answer to a submission ("Task submit"). */
export function judgeAccepted(exchange: Exchange, expected: ExpectedTask = {}): AcceptedTask {
  const { requirement = 'TASK-009', aspect = 'accepted', clockAheadMs = 0, twin } = expected;
  const answer = readAnswer(exchange, {
    requirement,
    aspect,
    twin,
    statuses: [200, 201, 202],
    status: { requirement: 'TASK-009', aspect: 'accepted' },
    what: 'task_id and status',
    shape: 'task-submitted',
    ruleOf: (path) =>
      path.startsWith('/submit_time') ? 'TASK-012' : path.startsWith('/status') ? 'TASK-011' : 'TASK-009',
  }) as { task_id: string; status: string; submit_time?: string | null };
  const { task_id: taskId, status, submit_time: submitTime = null } = answer;
  flag(status.toUpperCase() === 'QUEUED', {
    requirement: 'TASK-011',
    aspect: 'queued-on-submit',
    expected: 'status QUEUED',
    actual: status,
    exchange,
  });
  const advice: Finding[] = [];
  if (status !== 'QUEUED')
    advice.push({
      requirement: 'TASK-011',
      aspect: 'capitals',
      expected: 'status QUEUED in capitals (reading B-65)',
      actual: status,
      exchange,
    });
  flag(submitTime !== null || !(expected.video ?? isVideo(exchange)), {
    requirement: 'TASK-012',
    aspect: 'submit-time',
    expected: 'submit_time in the answer to a video submission',
    actual: 'none',
    exchange,
  });
  if (submitTime !== null) advice.push(...judgeSubmitTime(submitTime, exchange, clockAheadMs));
  return { taskId, submitTime, advice };
}

/** Judges one read of a task by itself. A trace judges several reads together. */
export function judgeRecord(
  exchange: Exchange,
  taskId: string,
  expected: {
    readonly requirement?: string;
    readonly aspect?: string;
    readonly channels?: readonly string[];
    readonly twin?: Exchange | undefined;
    /** Whether result members may have other names: the specification shows only those of videos. */
    readonly openNames?: boolean;
  } = {},
): TaskRecord {
  const { requirement = 'TASK-014', aspect = 'readable', channels = [], twin, openNames = false } = expected;
  const body = readAnswer(exchange, {
    requirement,
    aspect,
    twin,
    statuses: [200],
    status: { requirement: 'TASK-014', aspect: 'readable' },
    what: 'the record of a task',
    shape: 'task-record',
    ruleOf: ruleOfMember,
  }) as {
    task_id: string;
    status: TaskStatus;
    result_urls?: string[] | null;
    duration_sec?: number | null;
    submit_time?: string | null;
    error?: unknown;
  };
  flag(body.task_id === taskId, {
    requirement: 'TASK-014',
    aspect: 'same-id',
    expected: `task_id ${taskId}`,
    actual: body.task_id,
    exchange,
  });
  const isOpen = openNames && body.status === 'SUCCESS';
  const named = body.result_urls ?? [];
  const namesResults = named.length > 0 || !isOpen;
  const resultUrls = namesResults ? named : urlsIn(body);
  judgeResults(body.status, resultUrls, exchange, isOpen);
  return {
    taskId,
    status: body.status,
    resultUrls,
    namesResults,
    durationSec: body.duration_sec ?? null,
    submitTime: body.submit_time ?? null,
    error: judgeTaskError(body.error, body.status, channels, exchange),
    exchange,
  };
}

/** Judges that only a successful task has results. */
function judgeResults(
  status: TaskStatus,
  urls: readonly string[],
  exchange: Exchange,
  isOpen: boolean,
): void {
  if (status === 'SUCCESS') {
    // Without any URL the result may be a text in the record (reading B-69).
    (isOpen && urls.length === 0 ? advise : flag)(urls.length > 0 && urls.every(isAbsolute), {
      requirement: 'TASK-015',
      aspect: 'result-urls',
      expected: 'one or more absolute URLs in result_urls',
      actual: JSON.stringify(urls).slice(0, 200),
      exchange,
    });
    return;
  }
  const rules = {
    FAILED: 'STATE-006',
    EXPIRED: 'STATE-007',
    QUEUED: 'TASK-016',
    RUNNING: 'TASK-016',
  } as const;
  flag(urls.length === 0, {
    requirement: rules[status],
    aspect: isTerminal(status) ? 'no-results' : 'no-results-before',
    expected: `no result_urls with status ${status}`,
    actual: JSON.stringify(urls).slice(0, 200),
    exchange,
  });
}

/** Judges the reason of a failed task, if any: it must be an error of the common form (reading B-72). */
function judgeTaskError(
  value: unknown,
  status: TaskStatus,
  channels: readonly string[],
  exchange: Exchange,
): ErrorBody | null {
  if (value === undefined || value === null) return null;
  const wrong = (holds: boolean, aspect: string, expected: string): void =>
    flag(holds, {
      requirement: 'STATE-006',
      aspect,
      expected,
      actual: `status ${status} with error ${JSON.stringify(value).slice(0, 200)}`,
      exchange,
    });
  wrong(
    status === 'FAILED' || status === 'EXPIRED',
    'error-of-failure',
    'an error only in a task that failed',
  );
  const isNormal = shapeFault('error', { error: value }) === null;
  wrong(isNormal, 'normalised-error', 'an error in the common error shape');
  const error = judgeErrorMembers(value as Partial<ErrorBody>, null, exchange);
  judgeChannelName(error, channels, exchange);
  return error;
}

/** Judges that a time is ISO 8601, with or without a zone, and is the present time. */
function judgeSubmitTime(text: string, exchange: Exchange, clockAheadMs: number): Finding[] {
  const [, zone] = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(text) ?? [
    null,
    null,
  ];
  const atMs = zone === null ? Number.NaN : Date.parse(zone === undefined ? `${text}Z` : text);
  const [from, to] = timeOf(exchange, clockAheadMs);
  // Without a zone it may be the local time of any place.
  const slackMs = zone === undefined ? 14 * 3_600_000 : 0;
  flag(atMs >= from - slackMs && atMs <= to + slackMs, {
    requirement: 'TASK-012',
    aspect: 'submit-time',
    expected: `an ISO 8601 time near ${new Date(from).toISOString()}`,
    actual: text,
    exchange,
  });
  if (zone !== undefined) return [];
  const expected = 'a zone in submit_time (reading B-68)';
  return [{ requirement: 'TASK-012', aspect: 'zone', expected, actual: text, exchange }];
}

/** Whether a submission names a video model of the specification. */
export function isVideo(exchange: Exchange): boolean {
  const body = jsonOf({ ...exchange, response: bodyOf(exchange) });
  const { model } = (body ?? {}) as { model?: unknown };
  return typeof model === 'string' && mediaModel(model)?.medium === 'video';
}

/** The request's body as if it were an answer's, so that the same code reads it. */
function bodyOf({ request }: Exchange): NonNullable<Exchange['response']> {
  return { status: 200, headers: [], body: request.body, firstByteMs: 0, endMs: 0, complete: true };
}

function ruleOfMember(path: string): string {
  const rows: [RegExp, string][] = [
    [/^\/status/, 'STATE-001'],
    [/^\/result_urls/, 'TASK-015'],
    [/^\/duration_sec/, 'TASK-017'],
    [/^\/submit_time/, 'TASK-012'],
  ];
  return rows.find(([pattern]) => pattern.test(path))?.[1] ?? 'TASK-014';
}

/** How many characters at the end of an id are changed. */
const changed = 8;

/** The id of the task in the answer to a submission; null where it has none. */
export function taskIdIn(exchange: Exchange): string | null {
  const { task_id: id } = (jsonOf(exchange) ?? {}) as { task_id?: unknown };
  return typeof id === 'string' ? id : null;
}

/**
 * An id of the same form that was never issued: each letter and digit at its end is replaced by another of its
 * kind.
 */
export function unknownIdLike(id: string): string {
  const kept = id.slice(0, -changed);
  return kept + [...id.slice(-changed)].map(nextOfItsKind).join('');
}

function nextOfItsKind(letter: string): string {
  for (const kind of ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ']) {
    const place = kind.indexOf(letter);
    if (place >= 0) return kind.charAt((place + 1) % kind.length);
  }
  return letter;
}

/**
 * Whether a read was answered as for an unknown task, which is allowed once a task has expired (reading B-66).
 */
export function isGone(exchange: Exchange): boolean {
  return exchange.response?.status === 404 && errorCodeOf(exchange) === 'task_not_found';
}

/** Every absolute URL in a record, except those that lead elsewhere than to a result. */
export function urlsIn(value: unknown): string[] {
  if (typeof value === 'string') return isAbsolute(value) ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    /webhook|self|poll/i.test(name) ? [] : urlsIn(inner),
  );
}
