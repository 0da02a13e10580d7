import { type ErrorCode, errorTable } from '../../../suites/oracle/error-table.ts';
import type { Body } from '../../../suites/rewrite/json.ts';
import type { Mutation } from '../../../suites/rewrite/mutation.ts';
import { codeOf, pathOf, refusal } from '../../../suites/rewrite/refusal-edits.ts';
import { inRecords, isImagesCall, isTaskRead, miscallsAtImages } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

/** Gateways that report the failures of image and job upstreams wrongly. */

/** Replaces a code in the records of failed tasks. */
function miscallsInRecords(code: ErrorCode, other: ErrorCode): Mutation {
  return inRecords((record) => {
    const error = record.error as Body | null | undefined;
    if (error?.code === code) Object.assign(error, { code: other, type: errorTable[other].type });
  });
}

/** Tasks that failed to be read once. */
const lost = new Set<string>();

export const errMediaMutants: readonly Mutant[] = [
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
  front(
    [
      'err.internal-images-miscalled',
      'an own failure at images is put down to the upstream',
      'ERR-032',
      'provoked-elsewhere',
    ],
    miscallsAtImages('internal_error', 'upstream_error'),
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
];
