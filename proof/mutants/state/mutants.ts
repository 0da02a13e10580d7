import type { Body } from '../../../suites/rewrite/json.ts';
import type { ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import {
  authorizationOf,
  inErrors,
  miscalls,
  pathOf,
  refusal,
} from '../../../suites/rewrite/refusal-edits.ts';
import { inImages, inRecords, isTaskRead, setting } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that are wrong about the states of tasks or about their owners. */

/** What one proxy remembers of each task that is read. */
function memory<T>(): (request: ProxyRequest, next: (before: T | undefined) => T) => T {
  const all = new Map<string, T>();
  return (request, next) => {
    const now = next(all.get(pathOf(request)));
    all.set(pathOf(request), now);
    return now;
  };
}

const count = (): ((request: ProxyRequest) => number) => {
  const times = memory<number>();
  return (request) => times(request, (before = 0) => before + 1);
};
const isOver = (record: Body): boolean => record.status !== 'QUEUED' && record.status !== 'RUNNING';

const [runs, ends, links] = [count(), count(), count()];
/** The previous record of each task that each key saw. */
const stale = new Map<string, Body>();

export const order: readonly Mutant[] = [
  front(
    ['state.lower-case', 'statuses are in lower case', 'STATE-001', 'shape'],
    inRecords((record) => {
      record.status = String(record.status).toLowerCase();
    }),
  ),
  front(
    ['state.backwards', 'a task goes back to QUEUED now and then', 'STATE-008', 'forwards'],
    inRecords((record, request) => {
      if (record.status === 'RUNNING' && runs(request) > 1) record.status = 'QUEUED';
    }),
  ),
  front(
    ['state.stale-readers', 'each key reads what it has read before', 'STATE-009', 'no-earlier-state'],
    inRecords((record, request) => {
      const reader = `${authorizationOf(request)} ${pathOf(request)}`;
      const before = stale.get(reader);
      stale.set(reader, { ...record });
      // The first reader gets the current record.
      if (before !== undefined && !isOver(before)) Object.assign(record, before);
    }),
  ),
  front(
    ['state.end-undone', 'a task that has ended runs again', 'STATE-002', 'terminal-final'],
    inRecords((record, request) => {
      if (isOver(record) && ends(request) > 1)
        Object.assign(record, { status: 'RUNNING', result_urls: null, duration_sec: null, error: null });
    }),
  ),
  source(
    ['state.no-job', 'tasks of sound run without a job at their upstream', 'STATE-004', 'job-started'],
    'tasks/take-step.ts',
    '  let noted = task;\n',
    `  let noted = task;
  if (task.medium === 'audio') return { task: { ...task, status: 'RUNNING' }, waitMs: 9_000 };
`,
  ),
  source(
    ['state.id-in-query', 'the id of a job stands in a query as it is', 'STATE-005', 'found-by-odd-id'],
    'upstreams/callback-jobs/dialect.ts',
    'encodeURIComponent(nativeId)',
    'nativeId',
  ),
  front(
    ['state.results-change', 'results are others each time', 'STATE-002', 'terminal-unchanged'],
    inRecords((record, request) => {
      if (record.status !== 'SUCCESS') return;
      const times = links(request);
      record.result_urls = (record.result_urls as string[]).map(
        (url) => `${url.replace(/\/\/[^/]+\//, `//edge-${times}.example.com/`)}`,
      );
    }),
  ),
];

export const jobs: readonly Mutant[] = [
  front(
    ['state.queued-while-running', 'a task is QUEUED until it ends', 'STATE-004', 'runs-with-job'],
    inRecords((record) => {
      if (record.status === 'RUNNING') record.status = 'QUEUED';
    }),
  ),
  front(
    ['state.success-fails', 'a completed job is a failed task', 'STATE-005', 'succeeds'],
    inRecords((record) => {
      if (record.status === 'SUCCESS') Object.assign(record, { status: 'FAILED', result_urls: null });
    }),
  ),
  front(
    ['state.failure-succeeds', 'a failed job is an expired task', 'STATE-006', 'fails-with-job'],
    inRecords((record) => {
      if (record.status === 'FAILED') record.status = 'EXPIRED';
    }),
  ),
  front(
    ['state.failure-with-results', 'a failed task has results', 'STATE-006', 'no-results'],
    inRecords((record) => {
      if (record.status === 'FAILED') record.result_urls = ['https://media.example.com/failed.png'];
    }),
  ),
  front(
    ['state.failure-as-text', 'the error of a failed task is a text', 'STATE-006', 'normalised-error'],
    inRecords((record) => {
      if (record.status === 'FAILED') record.error = 'upstream_error';
    }),
  ),
  front(
    [
      'state.failure-is-ours',
      'a failed job is reported as an internal error',
      'STATE-006',
      'error-of-upstream',
    ],
    inRecords((record) => {
      if (record.status === 'FAILED')
        Object.assign(record.error as Body, { code: 'internal_error', type: 'api_error' });
    }),
  ),
  source(
    ['state.failure-tells', 'a failed task repeats what its upstream said', 'STATE-006', 'no-upstream-text'],
    'upstreams/media/job-words.ts',
    'const message = text ?? record.message;',
    `const message = text ?? record.message;
      globalThis.rawText = String(message);
      const withMessage = (value) =>
        value?.status === 'FAILED' && value.task_id && value.error
          ? { ...value, error: { ...value.error, message: globalThis.rawText } }
          : value;
      const { stringify } = JSON;
      globalThis.repeatsRaw ??= JSON.stringify = (value, ...rest) => stringify(withMessage(value), ...rest);`,
  ),
  source(
    ['state.deadline-early', 'a task expires at half its time', 'STATE-007', 'not-before-deadline'],
    'endpoints/tasks/submit.ts',
    'deadlineAtMs: nowMs + service.deadlineMs',
    'deadlineAtMs: nowMs + service.deadlineMs / 2',
  ),
  front(
    ['state.expired-as-failed', 'an expired task is a failed one', 'STATE-007', 'expires-at-deadline'],
    inRecords((record) => {
      if (record.status === 'EXPIRED') record.status = 'FAILED';
    }),
  ),
];

const forgetting = 'clock.now() < task.endedAtMs + limits.retention_ms';

export const owners: readonly Mutant[] = [
  source(
    ['state.foreign-readable', 'every account reads every task', 'STATE-011', 'not-found'],
    'tasks/create-tasks.ts',
    'return task?.accountId === accountId ? task : null;',
    'return task;',
  ),
  source(
    ['state.foreign-told', 'the refusal of a foreign task admits that it exists', 'STATE-011', 'alike'],
    'endpoints/tasks/read.ts',
    "if (task === null) throw new GatewayError('task_not_found');",
    `if (task === null) {
    const foreign = isTaskId(id) ? await service.tasks.findAny(id) : null;
    throw new GatewayError('task_not_found', foreign === null ? {} : { message: 'This task belongs to another account.' });
  }`,
  ),
  source(
    ['state.foreign-slow', 'a foreign task takes longer', 'STATE-011', 'alike-in-time'],
    'endpoints/tasks/read.ts',
    "if (task === null) throw new GatewayError('task_not_found');",
    `if (task === null) {
    if (isTaskId(id) && (await service.tasks.findAny(id)) !== null) await new Promise((resolve) => setTimeout(resolve, 80));
    throw new GatewayError('task_not_found');
  }`,
  ),
  source(
    ['state.of-its-user', 'a task is read by the key that submitted it only', 'STATE-012', 'other-key-reads'],
    'endpoints/tasks/read.ts',
    'const { accountId } = await enter(exchange, access);',
    `const { accountId, keyId } = await enter(exchange, access);
  const mine = await service.tasks.findAny(id);
  if (mine !== null && mine.keyId !== keyId) throw new GatewayError('task_not_found');`,
  ),
  source(
    [
      'state.forgotten-early',
      'a task is forgotten at half its retention',
      'STATE-013',
      'readable-until-then',
    ],
    'tasks/create-tasks.ts',
    forgetting,
    'clock.now() < task.endedAtMs + limits.retention_ms / 2',
  ),
  source(
    ['state.never-forgotten', 'a task is never forgotten', 'STATE-013', 'forgotten-then'],
    'tasks/create-tasks.ts',
    forgetting,
    'task.accountId.length > 0',
  ),
  front(['state.malformed-400', 'an id of another form is an invalid_param', 'STATE-014', 'never-issued'], {
    answer: (answer, request) =>
      isTaskRead(request) && answer.status === 404 && !/\/task_[\w-]+$/.test(pathOf(request))
        ? refusal('invalid_param', 'task_id')
        : answer,
  }),
  front(['state.ids-trimmed', 'white space around an id does not count', 'STATE-014', 'near-miss'], {
    request: (request) =>
      isTaskRead(request) ? { ...request, path: request.path.replaceAll(/%20|%0A/g, '') } : request,
  }),
  front(
    ['state.unknown-410', 'an unknown task is a task that is gone', 'ERR-028', 'provoked'],
    miscalls('task_not_found', 'model_not_found'),
  ),
  front(
    [
      'state.unknown-names-model',
      'an unknown task names a field that is not at fault',
      'ERR-007',
      'param-of-code',
    ],
    inErrors((error) => {
      if (error.code === 'task_not_found') error.param = 'model';
    }),
  ),
];

export const calls: readonly Mutant[] = [
  front(
    ['state.pictures-as-task', 'an image answer has a status', 'STATE-015', 'no-task-members'],
    inImages(setting('status', 'SUCCESS')),
  ),
];
