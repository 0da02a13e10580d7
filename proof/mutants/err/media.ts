import { type ErrorCode, errorTable } from '../../../suites/oracle/error-table.ts';
import type { Body } from '../../../suites/rewrite/json.ts';
import type { Mutation } from '../../../suites/rewrite/mutation.ts';
import { codeOf, pathOf, refusal } from '../../../suites/rewrite/refusal-edits.ts';
import { inRecords, isImagesCall, isSubmit, isTaskRead, miscallsAtImages } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that report the failures of image and job upstreams wrongly. */

/** Replaces a code in the records of failed tasks. */
function miscallsInRecords(code: ErrorCode, other: ErrorCode): Mutation {
  return inRecords((record) => {
    const error = record.error as Body | null | undefined;
    if (error?.code === code) Object.assign(error, { code: other, type: errorTable[other].type });
  });
}

/** Tasks that could not be read once. */
const lost = new Set<string>();

export const errMediaMutants: readonly Mutant[] = [
  source(
    [
      'err.images-raw',
      'the images endpoint repeats what the upstream answered',
      'ERR-009',
      'no-upstream-text',
    ],
    'upstreams/images/dialect.ts',
    "if (reply.kind === 'refusal') return pageFailure(reply)",
    [
      "if (reply.kind === 'refusal' && value !== undefined)",
      'throw new (await import(`../../errors/gateway-error.ts`)).GatewayError(',
      "'upstream_error', { message: JSON.stringify(value) });",
      "if (reply.kind === 'refusal') return pageFailure(reply)",
    ].join(' '),
  ),
  front(
    ['err.images-upstream-500', 'failures of an image upstream are our own', 'ERR-009', 'normalized'],
    miscallsAtImages('upstream_error', 'internal_error'),
  ),
  front(
    [
      'err.images-account-passed',
      'a refused account at an image upstream is a bad key of the caller',
      'ERR-010',
      'media-not-the-callers',
    ],
    miscallsAtImages('upstream_error', 'invalid_api_key'),
  ),
  front(
    [
      'err.jobs-account-passed',
      'a task that failed by the account at its upstream failed by a spent quota',
      'ERR-010',
      'media-not-the-callers',
    ],
    miscallsInRecords('upstream_error', 'quota_exceeded'),
  ),
  front(
    [
      'err.blocked-task-miscalled',
      'a job that upstream policy blocks is an upstream error',
      'ERR-027',
      'blocked-task',
    ],
    miscallsInRecords('content_filter', 'upstream_error'),
  ),
  front(['err.images-empty-500', 'an empty body at images is an internal error', 'ERR-024', 'media-body'], {
    answer: (answer, request) =>
      isImagesCall(request) && request.body.length === 0 ? refusal('internal_error') : answer,
  }),
  front(['err.task-list-unknown', 'a list of tasks has an unknown model', 'ERR-024', 'media-body'], {
    answer: (answer, request) =>
      isSubmit(request) && String(request.body).startsWith('[') ? refusal('model_not_found') : answer,
  }),
  front(
    [
      'err.internal-images-miscalled',
      'an own failure at images is put down to the upstream',
      'ERR-032',
      'provoked-elsewhere',
    ],
    miscallsAtImages('internal_error', 'upstream_error'),
  ),
  front(
    [
      'err.internal-task-unknown',
      'tasks are unknown while the gateway fails itself',
      'ERR-032',
      'provoked-elsewhere',
    ],
    {
      answer: (answer, request) =>
        isTaskRead(request) && codeOf(answer) === 'internal_error' ? refusal('task_not_found') : answer,
    },
  ),
  front(['err.internal-task-lost', 'a task is lost by a failure of the gateway', 'ERR-032', 'task-kept'], {
    answer: (answer, request) => {
      if (isTaskRead(request) && codeOf(answer) === 'internal_error') lost.add(pathOf(request));
      return lost.has(pathOf(request)) && answer.status === 200 ? refusal('task_not_found') : answer;
    },
  }),
  front(
    ['err.refused-job-ours', 'a job that its upstream refuses failed inside', 'ERR-009', 'jobs-normalized'],
    miscallsInRecords('upstream_error', 'internal_error'),
  ),
  source(
    [
      'err.jobs-raw',
      'the record of a refused job repeats what the upstream answered',
      'STATE-006',
      'no-upstream-text',
    ],
    'upstreams/jobs/dialect.ts',
    "if (reply.kind === 'refusal') return refused(reply, why);",
    `if (reply.kind === 'refusal') {
      globalThis.rawTexts = (globalThis.rawTexts ?? '') + String(JSON.stringify(value));
      const withMessage = (value) =>
        value?.status === 'FAILED' && value.task_id && value.error
          ? { ...value, error: { ...value.error, message: globalThis.rawTexts } }
          : value;
      const { stringify } = JSON;
      globalThis.repeatsRaw ??= JSON.stringify = (value, ...rest) => stringify(withMessage(value), ...rest);
      return refused(reply, why);
    }`,
  ),
];
