import { expect, it } from 'vitest';
import { readJob } from '../jobs/read-job.ts';
import { failureIn, startedIdIn, stateIn, stateOf } from './job-words.ts';

it.for<[word: string, state: string]>([
  ['Timed Out', 'failed'],
  ['TIMED-OUT', 'failed'],
  ['aborted', 'failed'],
  ['Request Moderated', 'failed'],
  ['Ready', 'done'],
  ['Created', 'waiting'],
  ['THROTTLED', 'waiting'],
  ['In Progress', 'running'],
  ['unknown', 'running'],
  ['TEXT_SUCCESS', 'running'],
  ['TASK_STATUS_SUCCEED', 'done'],
  ['ALL_SUCCESS', 'done'],
  ['GENERATE_AUDIO_FAILED', 'failed'],
  ['job_status_failed', 'failed'],
  ['deleted', 'failed'],
  ['Task not found', 'unknown'],
])('understands the state %j as %s', ([word, state]) => {
  expect(stateOf(word)).toBe(state);
});

it.for<[record: Record<string, unknown>, reason: string]>([
  [{ error: 'NSFW content detected' }, 'policy'],
  [{ error: { message: 'blocked for safety' } }, 'policy'],
  [{ error: null, message: 'output moderated' }, 'policy'],
  [{ status: 'Content Moderated' }, 'policy'],
  [{ error: { code: 7 } }, 'bad_input'],
  [{ errorCode: '7', errorMessage: 'x' }, 'bad_input'],
  [{ error: { code: 'OutputVideoSensitiveContentDetected' } }, 'policy'],
  [{ error: { code: 'DataInspectionFailed', message: 'x' } }, 'policy'],
  [{ task_status_msg: 'blocked by moderation', message: 'SUCCEED' }, 'policy'],
  [{ error: { code: null, message: null }, failCode: '', failMsg: 'sensitive' }, 'policy'],
  [{ failure: 'x', failureCode: 'SAFETY.INPUT.TEXT' }, 'policy'],
  [{ error: { code: 'InvalidParameter', message: 'x' } }, 'bad_input'],
  [{ error: { code: 'invalid_api_key', message: 'x' } }, 'other'],
  [{}, 'other'],
])('understands the failure of %j as %s', ([record, reason]) => {
  expect(failureIn(record, { 7: 'bad_input' })).toBe(reason);
});

const own = { place: 'output', length: 'seconds', baseUrl: 'https://api.example.com/v1', codes: {} };
const output = 'https://files.example.com/a.mp4';

it.for<[record: Record<string, unknown>, kind: string | undefined]>([
  [{ state: 'success' }, 'done'],
  [{ task_status: 'processing' }, 'running'],
  [{ status: '', state: 'fail' }, 'failed'],
  [{ done: false }, 'running'],
  [{ done: true, output }, 'done'],
  [{ done: true, error: { code: 3 } }, 'failed'],
  [{ status: 5 }, 'running'],
  [{ successFlag: 0 }, 'running'],
  [{ successFlag: 3, errorCode: 500 }, 'failed'],
  [{ successFlag: 1, response: { resultUrls: [output] } }, 'done'],
  // Kie (docs.kie.ai, 2026): 0 runs, even with a first song; 2 and 3 have failed, also without a code.
  [{ successFlag: 0, response: { resultUrls: [output] }, errorCode: null }, 'running'],
  [{ successFlag: 3, response: null, errorCode: null, errorMessage: 'x' }, 'failed'],
  [{ successFlag: 2, response: null }, 'failed'],
  [{ status: 'done', respect_moderation: false, video: null }, 'failed'],
  [{ status: 'done', video: { respect_moderation: false } }, 'failed'],
  [{ status: 'done', finish_reason: 'content_filter' }, 'failed'],
  [{ status: 'done', video: null }, 'done'],
  [{ status: 1, output: [{ url: output }] }, 'done'],
  [{ output, error: { code: null, message: '' } }, 'done'],
  [{ output: null, error: null }, undefined],
  [{ status: 'Task not found' }, undefined],
])('reads the state of %j as %s', ([record, kind]) => {
  expect(stateIn(record, own)?.kind).toBe(kind);
});

it.for<[body: object, outputs: number]>([
  [{ request_id: 'r', output: { task_status: 'SUCCEEDED', video_url: output } }, 1],
  [{ data: { status: 'SUCCEEDED', output: [output, `${output}?b`] } }, 2],
  [{ task: { status: 'success' }, videos: [], output }, 1],
])('finds the outputs beside the state, or around it: %j', ([body, outputs]) => {
  expect(readJob(body, own.baseUrl)).toMatchObject({ kind: 'done', outputs: { length: outputs } });
});

it.for<[answer: unknown, id: string | null]>([
  [{ id: 'job_1', data: { id: 'x' } }, 'job_1'],
  [{ code: 0, request_id: 'r', data: { task_id: 't' } }, 't'],
  [{ request_id: 'r', output: { task_id: 't', task_status: 'PENDING' } }, 't'],
  [{ request_id: 'r' }, 'r'],
  [{ task: { id: '4', status: 'running' } }, '4'],
  [{ code: 200, data: 'n1' }, 'n1'],
  [{ id: '', data: null }, null],
  [undefined, null],
])('finds the id of a job in %j', ([answer, id]) => {
  expect(startedIdIn(answer)).toBe(id);
});
