import type { Body } from '../../../suites/rewrite/json.ts';
import { pathOf, refusal } from '../../../suites/rewrite/refusal-edits.ts';
import { inBodies, inRecords, isSubmit, isTaskRead, setting } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that are wrong about the records of tasks. */

/** Tasks that were read before, per proxy. */
const seenBefore = new Set<string>();
/** Number of reads of each task while it ran. */
const reads = new Map<string, number>();

export const recordMutants: readonly Mutant[] = [
  source(
    ['task.short-boxes-only', 'a video with a 64-bit length is broken', 'TASK-018', 'rare-layout'],
    'media/inspect-mp4.ts',
    '  if (length !== 1 || head.length < 16) return null;',
    '  if (length >= 0 || head.length < 16) return null;',
  ),
  source(
    ['task.loud-songs-broken', 'a song of 320 kbit/s is broken', 'TASK-018', 'any-bit-rate'],
    'media/inspect-mp3.ts',
    '192, 224, 256, 320] as const;',
    '192, 224, 256] as const;',
  ),
  source(
    ['task.jpeg-is-none', 'a grid of JPEG is none', 'TASK-018', 'any-picture-form'],
    'media/inspect-output.ts',
    "    ['jpg', isJpeg],\n",
    '',
  ),
  source(
    ['task.dead-link-fails', 'a link to no file is an internal failure', 'ERR-032', 'gone-is-no-failure'],
    'endpoints/media.ts',
    "if (file === null) throw new GatewayError('not_found', { message: 'There is no such file.' });",
    "if (file === null) throw new GatewayError('internal_error', { message: 'There is no such file.' });",
  ),
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
    ['task.results-object', 'results are objects', 'TASK-015', 'shape'],
    inRecords((record) => {
      record.result_urls = urlsOf(record).map((url) => ({ url }));
    }),
  ),
  front(
    ['task.results-early', 'results are shown while the job runs', 'TASK-016', 'no-results-before'],
    inRecords((record) => {
      if (record.status === 'RUNNING') record.result_urls = ['https://media.example.com/preview.png'];
    }),
  ),
  front(
    ['task.results-dead', 'there is no file at the result URLs', 'TASK-018', 'results-fetchable'],
    inRecords((record) => {
      record.result_urls = urlsOf(record).map((url) => url.replace(/(\.\w+)$/, 'x$1'));
    }),
  ),
  source(
    ['task.pictures-octets', 'images are served as application/octet-stream', 'TASK-018', 'fitting-type'],
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
    inRecords(setting('duration_sec', null)),
  ),
  front(
    ['task.duration-ms', 'duration_sec is in milliseconds', 'TASK-017', 'length-asked-for'],
    inRecords((record) => {
      if (typeof record.duration_sec === 'number') record.duration_sec *= 1_000;
    }),
  ),
  front(
    ['task.duration-ignored', 'every video lasts 5 seconds', 'TASK-017', 'length-of-file'],
    inBodies(isSubmit, (body) => {
      if (body.duration === 10) body.duration = body.model === 'vidD-02' ? 6 : 5;
    }),
  ),
  front(
    [
      'task.duration-guessed',
      'duration_sec is a guess where no length was asked for',
      'TASK-017',
      'length-as-file',
    ],
    inRecords((record) => {
      const fixed = ['vidA-3.1-quality', 'vidB2', 'vidD-02', 'delta-imagine-t2v'];
      const hasLength =
        fixed.includes(String(record.model)) || /motion-gen|vidC-v2/.test(String(record.model));
      if (typeof record.duration_sec === 'number' && !hasLength) record.duration_sec += 30;
    }),
  ),
  front(
    ['task.never-ends', 'a task never reports its end', 'TASK-019', 'ends'],
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
