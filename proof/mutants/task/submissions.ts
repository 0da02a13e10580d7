import { type Body, objectIn } from '../../../suites/rewrite/json.ts';
import { jsonAnswer } from '../../../suites/rewrite/mutation.ts';
import { codeOf, inErrors, refusal } from '../../../suites/rewrite/refusal-edits.ts';
import { inSubmitted, isSubmit, modelOf, refusedLate, setting, takesOn } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that are wrong about accepting tasks. */

export const submissions: readonly Mutant[] = [
  front(['task.upscale-not-served', 'upscale-video is not accepted', 'TASK-001', 'every-model-taken'], {
    request: (request) =>
      isSubmit(request) && modelOf(request) === 'upscale-video'
        ? refusal('model_not_found', 'model')
        : request,
  }),
  front(
    ['task.default-model', 'a task without a model gets a default one', 'TASK-002', 'model-required'],
    takesOn((request) => typeof objectIn(request.body)?.model !== 'string'),
  ),
  front(
    ['task.no-model-unnamed', 'the refusal of a missing model names no field', 'TASK-002', 'param'],
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
      'a wrong kind of model is refused late',
      'TASK-003',
      'no-upstream-call',
    ],
    refusedLate((request) => {
      const body = isSubmit(request) ? objectIn(request.body) : null;
      return body !== null && /^alpha|^beta|image|kontext/.test(String(body.model))
        ? { ...body, model: 'vidB2' }
        : null;
    }, refusal('model_not_found')),
  ),
  front(
    [
      'task.validated-later',
      'an invalid task is refused only when it is read',
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
  front(
    ['task.job-of-refused', 'a job is made of a task that is refused', 'TASK-006', 'no-job'],
    refusedLate(
      (request) => {
        const body = isSubmit(request) ? objectIn(request.body) : null;
        if (body === null || !Object.hasOwn(body, 'no_such_field')) return null;
        const { no_such_field: _, ...rest } = body;
        return rest;
      },
      refusal('invalid_param', 'no_such_field'),
    ),
  ),
  front(
    ['task.no-object-taken', 'a body that is not an object is accepted', 'TASK-021', 'no-object'],
    takesOn((request) => objectIn(request.body) === null),
  ),
];

/** The first answer to each body, per proxy. */
const known = new Map<string, Body>();

export const answers: readonly Mutant[] = [
  front(
    ['task.id-number', 'task_id is a number', 'TASK-009', 'shape'],
    inSubmitted(setting('task_id', 12_345)),
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
    inSubmitted(setting('status', 'RUNNING')),
  ),
  front(
    ['task.lower-case-on-submit', 'a task begins in queued', 'TASK-011', 'capitals'],
    inSubmitted(setting('status', 'queued')),
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
