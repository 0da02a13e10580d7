import { type Finding, flag, must } from '../../rules/violation.ts';
import { isJsonObject } from '../../values/json.ts';
import { eventHeader, type ReceivedEvent } from '../../wire/received-event.ts';
import { withoutQuery } from '../core-routes.ts';
import { foreignWordIn } from '../exchange/foreign-words.ts';
import { textsIn } from '../exchange/judge-words.ts';
import { isTerminal, type TaskRecord, type TaskStatus, urlsIn } from '../media/task-answer.ts';
import { type Payload, readPayload } from './payload.ts';

/** What an event must report: its task, the task's status, and what reads of the task show. */
export interface PayloadClaims {
  readonly taskId: string;
  /** How the task ended; null when that is not known yet. */
  readonly status: TaskStatus | null;
  /** The record from a read; null when there was none. */
  readonly record: TaskRecord | null;
}

/** A judged payload, with advice that it does not follow. */
export interface JudgedPayload {
  readonly payload: Payload;
  readonly advice: Finding[];
}

/** Judges an event's content against its task. Its form is not specified (reading B-113). */
export function judgePayload(event: ReceivedEvent, claims: PayloadClaims): JudgedPayload {
  const payload = readPayload(event);
  const advice: Finding[] = [];
  const { exchange } = event;
  const advise = (requirement: string, aspect: string, expected: string, actual: string): void =>
    void advice.push({ requirement, aspect, expected, actual, exchange });
  judgeTaskId(event, payload, claims);
  judgeStatus(event, payload, claims);
  if (claims.record !== null && payload.record !== null) judgeMembers(event, payload.record, claims.record);
  judgeFailureWords(event, payload);
  if (!payload.isObject) advise('HOOK-014', 'json', 'a JSON object (reading B-113)', excerptOf(event));
  const type = (eventHeader(event, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (payload.isObject && type !== 'application/json')
    advise('HOOK-013', 'json-type', 'content type application/json', type || '(none)');
  if (payload.isObject && payload.status === null && payload.statusOfType === null)
    advise('HOOK-013', 'status', 'an event that reports how its task ended', excerptOf(event));
  return { payload, advice };
}

function judgeTaskId(event: ReceivedEvent, payload: Payload, { taskId }: PayloadClaims): void {
  const found = payload.isObject ? payload.taskId : textOf(event).includes(taskId) ? taskId : null;
  must(found === taskId, {
    requirement: 'HOOK-013',
    aspect: 'task-id',
    expected: `task_id ${taskId}, of the task with this webhook_url`,
    actual: found ?? excerptOf(event),
    exchange: event.exchange,
  });
}

function judgeStatus(event: ReceivedEvent, payload: Payload, { status: known, record }: PayloadClaims): void {
  const { status, type, statusOfType } = payload;
  const said = status ?? statusOfType;
  flag(said === null || isTerminal(said), {
    requirement: 'HOOK-003',
    aspect: 'not-before-end',
    expected: 'an event of a task that has ended',
    actual: `an event that reports ${said}`,
    exchange: event.exchange,
  });
  const wanted = record?.status ?? known;
  if (wanted === null) return;
  const own = { requirement: 'HOOK-013', exchange: event.exchange, twin: record?.exchange };
  flag(status === null || status === wanted, {
    ...own,
    aspect: 'status',
    expected: `status ${wanted}, as in the task’s record`,
    actual: `${status}`,
  });
  flag(statusOfType === null || statusOfType === wanted, {
    ...own,
    aspect: 'type',
    expected: `an event named for ${wanted}`,
    actual: `${type}`,
  });
}

/** The reason of a failure is in the words of the service, as in every other answer ("Errors"). */
function judgeFailureWords(event: ReceivedEvent, { record }: Payload): void {
  const found = textsIn(record?.error).flatMap((text) => foreignWordIn(text, '') ?? [])[0];
  flag(found === undefined, {
    requirement: 'ERR-009',
    aspect: 'event-in-own-words',
    expected: 'the words of the service itself, for people',
    actual: `${found?.what}: ${JSON.stringify(found?.word)}`,
    exchange: event.exchange,
  });
}

/** Members of a record other than its id and its status. */
const members = ['result_urls', 'duration_sec', 'submit_time', 'error'] as const;

/**
 * Judges that an event and the record agree in the members of both.
 * An event with more of the record than its status must also have the results.
 */
function judgeMembers(
  event: ReceivedEvent,
  said: Readonly<Record<string, unknown>>,
  record: TaskRecord,
): void {
  const showsMore = members.some((name) => name in said);
  const results = { read: pathsOf(record.resultUrls), inEvent: pathsOf(resultsIn(said)) };
  const isNamed = record.namesResults && namesResults(said);
  const agree = isNamed ? isSame(results) : isPart(results);
  const pairs = {
    result_urls: [results.read, agree ? results.read : results.inEvent],
    duration_sec: [record.durationSec, said.duration_sec ?? null],
    submit_time: [record.submitTime, said.submit_time ?? null],
    error: [errorSeen(record.error, said.error), errorSeen(said.error, record.error)],
  } as const;
  const differing = members
    .filter((name) => name in said || (name === 'result_urls' && showsMore))
    // A record need not give the reason of a failure (B-70), and its event may.
    .filter((name) => name !== 'error' || record.error !== null || record.status !== 'FAILED')
    .map((name) => [name, ...pairs[name].map((value) => JSON.stringify(value))] as const)
    .find(([, read, inEvent]) => read !== inEvent);
  flag(differing === undefined, {
    requirement: 'HOOK-013',
    aspect: 'record',
    expected: `${differing?.[0]} ${differing?.[1]}, as in the task’s record`,
    actual: differing?.[2] ?? '',
    exchange: event.exchange,
    twin: record.exchange,
  });
}

/** Results may stand under any name (reading B-69): without result_urls every URL counts. */
function resultsIn(said: Readonly<Record<string, unknown>>): unknown {
  return namesResults(said) ? said.result_urls : urlsIn(said);
}

function namesResults({ result_urls: urls }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(urls) && urls.length > 0;
}

interface Results {
  readonly read: readonly string[];
  readonly inEvent: readonly string[];
}

function isSame({ read, inEvent }: Results): boolean {
  return JSON.stringify(read) === JSON.stringify(inEvent);
}

/** Whether all that one of them names is in the other, which may name more than results. */
function isPart({ read, inEvent }: Results): boolean {
  const [some, all] = read.length < inEvent.length ? [read, inEvent] : [inEvent, read];
  return all.length === 0 || (some.length > 0 && some.every((url) => all.includes(url)));
}

function pathsOf(urls: unknown): readonly string[] {
  return Array.isArray(urls) ? urls.map((url) => withoutQuery(String(url))) : [];
}

/** The code of an error, and the members that both errors have. The message may differ. */
function errorSeen(error: unknown, other: unknown): unknown {
  if (!isJsonObject(error)) return error ?? null;
  if (!isJsonObject(other)) return error.code ?? error;
  const shared = ['type', 'code', 'param', 'channel'].filter((name) => name in error && name in other);
  return Object.fromEntries(shared.map((name) => [name, error[name]]));
}

function textOf({ body }: ReceivedEvent): string {
  return body.toString('utf8');
}

function excerptOf(event: ReceivedEvent): string {
  return textOf(event).replaceAll(/\s+/g, ' ').slice(0, 200) || '(an empty body)';
}
