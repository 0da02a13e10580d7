import { type Body, objectIn } from '../../mutation/json.ts';
import {
  inBodies,
  inRecords,
  inSubmitted,
  isSubmit,
  isTaskRead,
  modelOf,
  takesOn,
} from '../../mutation/media-edits.ts';
import type { Mutant } from '../../mutation/mutant.ts';
import { front, source } from '../../mutation/mutant.ts';
import { jsonAnswer } from '../../mutation/mutation.ts';
import { codeOf, inErrors, pathOf, refusal } from '../../mutation/refusal-edits.ts';

/** Gateways that are wrong about taking tasks on and showing them. */

const submissions: readonly Mutant[] = [
  front(['task.upscale-not-served', 'upscale-video is not taken', 'TASK-001', 'every-model-taken'], {
    request: (request) =>
      isSubmit(request) && modelOf(request) === 'upscale-video'
        ? refusal('model_not_found', 'model')
        : request,
  }),
  front(['task.journey-not-served', 'journey-v7 is not taken', 'TASK-001', 'every-model-taken'], {
    request: (request) =>
      isSubmit(request) && modelOf(request) === 'journey-v7' ? refusal('model_not_found', 'model') : request,
  }),
  front(
    ['task.default-model', 'a task without a model is one of the usual', 'TASK-002', 'model-required'],
    takesOn((request) => typeof objectIn(request.body)?.model !== 'string'),
  ),
  front(
    ['task.no-model-unnamed', 'a missing model is told without naming the field', 'TASK-002', 'param'],
    inErrors((error, _answer, request) => {
      if (isSubmit(request) && error.param === 'model') error.param = null;
    }),
  ),
  front(
    ['task.unknown-model-400', 'an unknown task model is an invalid_param', 'TASK-002', 'unknown-id'],
    inErrors((error, _answer, request) => {
      if (!isSubmit(request) || error.code !== 'model_not_found') return undefined;
      error.code = 'invalid_param';
      return 400;
    }),
  ),
  front(
    ['task.any-model', 'models of other kinds run as tasks', 'TASK-003', 'task-models-only'],
    takesOn((request, answer) => codeOf(answer) === 'model_not_found' && modelOf(request) !== ''),
  ),
  front(
    [
      'task.other-kind-reaches-upstream',
      'a model of another kind is only found out later',
      'TASK-003',
      'no-upstream-call',
    ],
    {
      request: (request) => {
        const body = isSubmit(request) ? objectIn(request.body) : null;
        if (body === null || !/^alpha|^beta|image|kontext/.test(String(body.model))) return request;
        const headers = [...request.headers, ['x-too-late', 'yes'] as const];
        return { ...request, headers, body: Buffer.from(JSON.stringify({ ...body, model: 'vidB2' })) };
      },
      answer: (answer, request) =>
        request.headers.some(([name]) => name === 'x-too-late') ? refusal('model_not_found') : answer,
    },
  ),
  front(
    [
      'task.validated-later',
      'what is wrong with a task shows only when it is read',
      'TASK-006',
      'refused-at-once',
    ],
    takesOn((_, answer) => codeOf(answer) === 'invalid_param'),
  ),
  front(['task.id-beside-error', 'a refusal has a task_id', 'TASK-006', 'no-task-id'], {
    answer: (answer, request) =>
      isSubmit(request) && codeOf(answer) !== null
        ? jsonAnswer(answer.status, { ...objectIn(answer.body), task_id: 'task_0' })
        : answer,
  }),
  front(['task.job-of-refused', 'a job is made of a task that is refused', 'TASK-006', 'no-job'], {
    request: (request) => {
      const body = isSubmit(request) ? objectIn(request.body) : null;
      if (body === null || !Object.hasOwn(body, 'no_such_field')) return request;
      const { no_such_field: _, ...rest } = body;
      const headers = [...request.headers, ['x-too-late', 'yes'] as const];
      return { ...request, headers, body: Buffer.from(JSON.stringify(rest)) };
    },
    answer: (answer, request) =>
      request.headers.some(([name]) => name === 'x-too-late')
        ? refusal('invalid_param', 'no_such_field')
        : answer,
  }),
  front(
    ['task.no-object-taken', 'a body that is no object is a task', 'TASK-021', 'no-object'],
    takesOn((request) => objectIn(request.body) === null),
  ),
];

/** The first answer to each body, of one gateway in front. */
const known = new Map<string, Body>();

const answers: readonly Mutant[] = [
  front(
    ['task.id-number', 'task_id is a number', 'TASK-009', 'shape'],
    inSubmitted((answer) => {
      answer.task_id = 12_345;
    }),
  ),
  front(
    ['task.id-called-id', 'task_id is called id', 'TASK-009', 'shape'],
    inSubmitted((answer) => {
      answer.id = answer.task_id;
      delete answer.task_id;
    }),
  ),
  front(
    ['task.id-reused', 'identical bodies are one task', 'TASK-010', 'distinct-ids'],
    inSubmitted((answer, request) => {
      const first = known.get(String(request.body));
      if (first === undefined) known.set(String(request.body), { ...answer });
      else Object.assign(answer, first);
    }),
  ),
  front(
    ['task.running-on-submit', 'a task begins in RUNNING', 'TASK-011', 'queued-on-submit'],
    inSubmitted((answer) => {
      answer.status = 'RUNNING';
    }),
  ),
  front(
    ['task.pending-on-submit', 'a task begins in PENDING', 'TASK-011', 'queued-on-submit'],
    inSubmitted((answer) => {
      answer.status = 'PENDING';
    }),
  ),
  front(
    ['task.lower-case-on-submit', 'a task begins in queued', 'TASK-011', 'capitals'],
    inSubmitted((answer) => {
      answer.status = 'queued';
    }),
  ),
  front(
    ['task.no-submit-time', 'a video task does not say when it was submitted', 'TASK-012', 'submit-time'],
    inSubmitted((answer) => delete answer.submit_time),
  ),
  front(
    ['task.submit-time-number', 'submit_time is a number', 'TASK-012', 'shape'],
    inSubmitted((answer) => {
      answer.submit_time = Date.now();
    }),
  ),
  front(
    [
      'task.submit-time-local',
      'submit_time is a local time that calls itself UTC',
      'TASK-012',
      'submit-time',
    ],
    inSubmitted((answer) => {
      answer.submit_time = new Date(Date.parse(String(answer.submit_time)) + 7_200_000).toISOString();
    }),
  ),
  source(
    ['task.submit-waits', 'a submission waits for its job', 'TASK-013', 'answers-at-once'],
    'endpoints/tasks/submit.ts',
    '    allowance.entrust();',
    `    allowance.entrust();
    for (let waited = 0; waited < 6_000; waited += 100) {
      const seen = await service.tasks.find(task.accountId, task.id);
      if (seen !== null && seen.endedAtMs !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }`,
  ),
];

/** Tasks that were read before, of one gateway in front. */
const seenBefore = new Set<string>();
/** How often each task was read under way. */
const reads = new Map<string, number>();

const records: readonly Mutant[] = [
  front(['task.read-late', 'a task cannot be read at once', 'TASK-009', 'readable-at-once'], {
    answer: (answer, request) => {
      if (!isTaskRead(request) || answer.status !== 200 || seenBefore.has(pathOf(request))) return answer;
      seenBefore.add(pathOf(request));
      return refusal('task_not_found');
    },
  }),
  front(
    ['task.record-202', 'a task that has ended is read with status 202', 'TASK-014', 'readable'],
    inRecords((record) => (record.status === 'SUCCESS' ? 202 : 200)),
  ),
  front(
    ['task.record-of-another', 'a record has another task_id', 'TASK-014', 'same-id'],
    inRecords((record) => {
      record.task_id = `${record.task_id}-1`;
    }),
  ),
  front(
    ['task.record-without-id', 'a record has no task_id', 'TASK-014', 'shape'],
    inRecords((record) => delete record.task_id),
  ),
  front(
    ['task.results-empty', 'a success has no results', 'TASK-015', 'result-urls'],
    inRecords((record) => {
      if (record.status === 'SUCCESS') record.result_urls = [];
    }),
  ),
  front(
    ['task.results-relative', 'results are paths', 'TASK-015', 'result-urls'],
    inRecords((record) => {
      record.result_urls = urlsOf(record).map((url) => new URL(url).pathname);
    }),
  ),
  front(
    ['task.results-object', 'results are objects', 'TASK-015', 'shape'],
    inRecords((record) => {
      record.result_urls = urlsOf(record).map((url) => ({ url }));
    }),
  ),
  front(
    ['task.results-early', 'results are told while the job runs', 'TASK-016', 'no-results-before'],
    inRecords((record) => {
      if (record.status === 'RUNNING') record.result_urls = ['https://media.example.com/preview.png'];
    }),
  ),
  front(
    ['task.results-dead', 'nothing stands at the results', 'TASK-018', 'results-fetchable'],
    inRecords((record) => {
      record.result_urls = urlsOf(record).map((url) => url.replace(/(\.\w+)$/, 'x$1'));
    }),
  ),
  source(
    ['task.pictures-octets', 'pictures are declared as bytes of any kind', 'TASK-018', 'fitting-type'],
    'media/content-type.ts',
    "png: 'image/png',",
    "png: 'application/octet-stream',",
  ),
  front(
    ['task.duration-text', 'duration_sec is a text', 'TASK-017', 'shape'],
    inRecords((record) => {
      if (typeof record.duration_sec === 'number') record.duration_sec = String(record.duration_sec);
    }),
  ),
  front(
    ['task.duration-untold', 'duration_sec stays null', 'TASK-017', 'length-told'],
    inRecords((record) => {
      record.duration_sec = null;
    }),
  ),
  front(
    ['task.duration-ms', 'duration_sec is in milliseconds', 'TASK-017', 'length-asked-for'],
    inRecords((record) => {
      if (typeof record.duration_sec === 'number') record.duration_sec *= 1_000;
    }),
  ),
  front(
    ['task.duration-ignored', 'every film lasts 5 seconds', 'TASK-017', 'length-asked-for'],
    inBodies(isSubmit, (body) => {
      if (body.duration === 10) body.duration = body.model === 'vidD-02' ? 6 : 5;
    }),
  ),
  front(
    [
      'task.duration-guessed',
      'duration_sec is a guess where no length was asked for',
      'TASK-017',
      'length-of-file',
    ],
    inRecords((record) => {
      const fixed = ['vidA-3.1-quality', 'vidB2', 'vidD-02', 'delta-imagine-t2v'];
      const hasLength =
        fixed.includes(String(record.model)) || /motion-gen|vidC-v2/.test(String(record.model));
      if (typeof record.duration_sec === 'number' && !hasLength) record.duration_sec += 30;
    }),
  ),
  front(
    ['task.never-ends', 'a task is never told to have ended', 'TASK-019', 'ends'],
    inRecords((record) => {
      if (record.model !== 'voice-music' || record.status !== 'SUCCESS') return;
      Object.assign(record, { status: 'RUNNING', result_urls: null, duration_sec: null });
    }),
  ),
  front(
    ['task.reads-wear', 'a task that is read too often fails', 'TASK-020', 'unchanged-by-reading'],
    inRecords((record, request) => {
      if (record.status !== 'RUNNING') return;
      const times = (reads.get(pathOf(request)) ?? 0) + 1;
      reads.set(pathOf(request), times);
      if (times > 9) record.status = 'FAILED';
    }),
  ),
];

function urlsOf(record: Body): string[] {
  return Array.isArray(record.result_urls) ? (record.result_urls as string[]) : [];
}

export const taskMutants: readonly Mutant[] = [...submissions, ...answers, ...records];
