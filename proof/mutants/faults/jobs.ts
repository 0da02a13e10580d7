import type { Body } from '../../../suites/rewrite/json.ts';
import { drawsAnyway, inRecords } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that mishandle an upstream fault of a job or an image. */

const elsewhere = ['https://media.example.com/made.mp4'];

export const ends: readonly Mutant[] = [
  front(
    [
      'faults.job-failure-as-success',
      'a job that fails is a task that succeeds',
      'STATE-006',
      'fault-false-success',
    ],
    inRecords((record) => {
      if (record.status === 'FAILED')
        Object.assign(record, { status: 'SUCCESS', result_urls: elsewhere, error: null });
    }),
  ),
  front(
    [
      'faults.job-expiry-as-success',
      'a job that never ends is a task that succeeds',
      'STATE-007',
      'fault-false-success',
    ],
    inRecords((record) => {
      if (record.status === 'EXPIRED')
        Object.assign(record, { status: 'SUCCESS', result_urls: elsewhere, error: null });
    }),
  ),
  front(
    ['faults.job-expiry-as-failure', 'a job that never ends is a failed task', 'STATE-007', 'fault-expires'],
    inRecords((record) => {
      if (record.status === 'EXPIRED') record.status = 'FAILED';
    }),
  ),
  front(
    ['faults.job-miscoded', 'a job that fails is put down to the caller', 'STATE-006', 'fault-code'],
    inRecords((record) => {
      if (record.status === 'FAILED' && record.error !== null)
        Object.assign(record.error as Body, {
          code: 'quota_exceeded',
          type: 'rate_limit_error',
          channel: null,
        });
    }),
  ),
];

const start = 'services/tasks/start-call.ts';

export const starts: readonly Mutant[] = [
  source(
    [
      'faults.job-begun-again',
      'a job whose submit was not answered is submitted again',
      'ROUTE-007',
      'fault-jobs',
    ],
    start,
    "find: async () => (await find?.(upstreams, target, task.id)) ?? { kind: 'none' },",
    "find: async () => ({ kind: 'none' }),",
  ),
];

const words = 'upstreams/media/job-words.ts';

export const questions: readonly Mutant[] = [
  source(
    [
      'faults.job-asked-for-ever',
      'a job is polled when its task has expired',
      'STATE-007',
      'fault-polls-stop',
    ],
    'tasks/take-step.ts',
    '  if (parts.clock.now() >= task.deadlineAtMs) return { task, ending: expired };',
    `  if (parts.clock.now() >= task.deadlineAtMs) {
    const again = (): void => {
      void parts.work.check(task).catch(() => {});
      parts.clock.schedule(30_000, again);
    };
    again();
    return { task, ending: expired };
  }`,
  ),
  source(
    ['faults.job-says-it-raw', 'a failed task repeats what its upstream said', 'STATE-006', 'fault-raw'],
    words,
    "  const name = typeof code === 'number' ? String(code) : code;",
    `  const name = typeof code === 'number' ? String(code) : code;
  const world = globalThis as { said?: string; says?: unknown };
  world.said = String(message);
  const withMessage = (value: any): unknown =>
    value?.status === 'FAILED' && value.task_id && value.error
      ? { ...value, error: { ...value.error, message: world.said } }
      : value;
  const { stringify } = JSON;
  world.says ??= JSON.stringify = (value: unknown, ...rest: any[]) => stringify(withMessage(value), ...rest);`,
  ),
];

export const made: readonly Mutant[] = [
  front(
    ['faults.job-length-asked-for', 'duration_sec is what was asked for', 'TASK-017', 'fault-length'],
    inRecords((record) => {
      if (typeof record.duration_sec === 'number')
        record.duration_sec = record.model === 'voice-music' ? 30 : 10;
    }),
  ),
];

export const pictures: readonly Mutant[] = [
  front(
    ['faults.pictures-anyway', 'images that never came are answered', 'IMG-013', 'false-success'],
    drawsAnyway(() => true),
  ),
  front(
    ['faults.bad-pictures-anyway', 'invalid images are answered', 'IMG-020', 'false-success'],
    drawsAnyway(() => true),
  ),
  source(
    ['faults.pictures-charged', 'images that never came are charged', 'BILL-008', 'fault-charge'],
    'services/images/charge.ts',
    'charge_pico: chargeForUnits(images, price.unitPico, price.markupBp),',
    'charge_pico: chargeForUnits(Math.max(1, images), price.unitPico, price.markupBp),',
  ),
];
