import type { Mutant } from '../mutant.ts';
import { type Body, front } from './defects.ts';
import { drawsAnyway, inRecords } from './media-defects.ts';
import { source } from './refusal-defects.ts';

/** Gateways that make something wrong of what befalls a job or a picture at its upstream. */

const elsewhere = ['https://media.example.com/made.mp4'];

const ends: readonly Mutant[] = [
  front(
    ['faults.job-success-as-failure', 'a job that is done is a failed task', 'STATE-005', 'fault-survived'],
    inRecords((record) => {
      if (record.status === 'SUCCESS')
        Object.assign(record, { status: 'FAILED', result_urls: null, duration_sec: null });
    }),
  ),
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

const start = 'endpoints/tasks/start-call.ts';

const starts: readonly Mutant[] = [
  source(
    [
      'faults.job-begun-again',
      'a job whose beginning was not answered is begun again unasked',
      'ROUTE-007',
      'fault-jobs',
    ],
    start,
    "find: async () => (await find?.(upstreams, target, task.id)) ?? { kind: 'none' },",
    "find: async () => ({ kind: 'none' }),",
  ),
  source(
    ['faults.job-under-new-key', 'each try at a job has a name of its own', 'ROUTE-007', 'fault-jobs'],
    start,
    '    key: task.id,',
    '    key: task.id + Math.random(),',
  ),
];

const words = 'upstreams/media/job-words.ts';
const check = 'endpoints/tasks/check.ts';

const questions: readonly Mutant[] = [
  source(
    ['faults.job-unknown-word-ends', 'a word that nobody knows ends a job', 'STATE-005', 'fault-survived'],
    words,
    "return FAILED.includes(plain) ? 'failed' : 'running';",
    "return FAILED.includes(plain) || !/progress|_success/.test(plain) ? 'failed' : 'running';",
  ),
  source(
    [
      'faults.job-one-look',
      'a job that is done and has nothing to show yet has failed',
      'STATE-005',
      'fault-survived',
    ],
    check,
    'const LOOKS_FOR_OUTPUTS = 3;',
    'const LOOKS_FOR_OUTPUTS = 1;',
  ),
  source(
    ['faults.job-part-is-whole', 'a part of what was asked for will do', 'STATE-006', 'fault-false-success'],
    check,
    'if (state.outputs.length < outputsOf(task)) {',
    'if (state.outputs.length < Math.min(1, outputsOf(task))) {',
  ),
  source(
    [
      'faults.job-lost-at-once',
      'a job is lost the first time that it is not found',
      'STATE-005',
      'fault-survived',
    ],
    check,
    "if (outcome === null || outcome.kind === 'gone') return { kind: 'unclear', afterMs: null, ending: lost };",
    "if (outcome === null || outcome.kind === 'gone') return { kind: 'ended', ending: lost };",
  ),
  source(
    [
      'faults.job-failed-at-once',
      'a question that goes wrong is the end of its job',
      'STATE-005',
      'fault-survived',
    ],
    check,
    "return { kind: 'unclear', afterMs: boundedWaitMs(outcome.retryAfterMs), ending: lost };",
    "return { kind: 'ended', ending: lost };",
  ),
  source(
    [
      'faults.job-backwards-fails',
      'a job that goes back to waiting has failed',
      'STATE-005',
      'fault-survived',
    ],
    check,
    "    case 'waiting':\n    case 'running':\n      return { kind: 'running', afterMs };",
    `    case 'waiting':
    case 'running': {
      const ran = ((globalThis as { ran?: Set<string> }).ran ??= new Set());
      if (state.kind === 'waiting' && ran.has(task.id)) return { kind: 'ended', ending: lost };
      if (state.kind === 'running') ran.add(task.id);
      return { kind: 'running', afterMs };
    }`,
  ),
  source(
    [
      'faults.job-asked-for-ever',
      'a job is asked after when its task has expired',
      'STATE-007',
      'fault-polls-stop',
    ],
    'tasks/take-step.ts',
    '  return { task: { ...task, status: ending.status, endedAtMs: atMs }, waitMs: null };',
    `  const over: Task = { ...task, status: ending.status, endedAtMs: atMs };
  const again = (): void => {
    void parts.work.check(task).catch(() => {});
    parts.clock.schedule(30_000, again);
  };
  if (ending.status === 'EXPIRED') again();
  return { task: over, waitMs: null };`,
  ),
  source(
    ['faults.job-says-it-raw', 'a failed task repeats what its upstream said', 'STATE-006', 'fault-raw'],
    words,
    "  const name = typeof code === 'number' ? String(code) : code;",
    `  const name = typeof code === 'number' ? String(code) : code;
  const world = globalThis as { said?: string; says?: unknown };
  world.said = String(message);
  const told = (value: any): unknown =>
    value?.status === 'FAILED' && value.task_id && value.error
      ? { ...value, error: { ...value.error, message: world.said } }
      : value;
  const { stringify } = JSON;
  world.says ??= JSON.stringify = (value: unknown, ...rest: any[]) => stringify(told(value), ...rest);`,
  ),
  source(
    [
      'faults.job-block-is-failure',
      'what a filter held back is a failure of its upstream',
      'STATE-006',
      'fault-code',
    ],
    'endpoints/tasks/endings.ts',
    "return failedWith('content_filter', { channel });",
    "return failedWith('upstream_error', { channel });",
  ),
];

const made: readonly Mutant[] = [
  source(
    [
      'faults.job-any-file',
      'whatever comes of a file is what the job has made',
      'STATE-006',
      'fault-false-success',
    ],
    'media/fetch-output.ts',
    '  const extension = extensionOf(head, want);',
    `  const taken = [head];
  try {
    for await (const more of bytes) taken.push(more);
  } catch {}
  const kind = ({ image: 'png', video: 'mp4', audio: 'mp3', text: 'txt' } as const)[want];
  return { kind: 'kept', file: await files.keep(kind, Buffer.concat(taken)), what: want, seconds: 5 };
  const extension = extensionOf(head, want);`,
  ),
  source(
    [
      'faults.job-links-die',
      'what was made is gone when the links of its upstream are',
      'TASK-018',
      'results-fetchable',
    ],
    'endpoints/media.ts',
    'const file = await gateway.mediaFiles.open(exchange.path.slice(PREFIX.length));',
    `const name = exchange.path.slice(PREFIX.length);
  const born = ((globalThis as { born?: Map<string, number> }).born ??= new Map());
  if (!born.has(name)) born.set(name, gateway.clock.now());
  const isOver = gateway.clock.now() - (born.get(name) ?? 0) > 60_000;
  const file = isOver ? null : await gateway.mediaFiles.open(name);`,
  ),
  source(
    ['faults.job-length-asked-for', 'duration_sec is what was asked for', 'TASK-017', 'fault-length'],
    check,
    'if (told.length > 0) return Math.max(...told);',
    "if (typeof fields.duration === 'number') return fields.duration;\n  if (told.length > 0) return Math.max(...told);",
  ),
];

const unitsMade = 'const units = unitsMade(unit, ending);';

const charges: readonly Mutant[] = [
  source(
    ['faults.job-failure-charged', 'a task that made nothing has a price', 'BILL-008', 'fault-charge'],
    'endpoints/tasks/charge.ts',
    unitsMade,
    'const units = Math.max(1, unitsMade(unit, ending));',
  ),
  source(
    ['faults.job-charged-as-asked', 'seconds are charged as they were asked for', 'BILL-009', 'fault-charge'],
    'endpoints/tasks/charge.ts',
    unitsMade,
    `const asked = task.fields.duration;
  const isTimed = unit === 'second' && ending.status === 'SUCCESS' && typeof asked === 'number';
  const units = isTimed ? asked : unitsMade(unit, ending);`,
  ),
  source(
    ['faults.job-charged-by-try', 'each try at a job is charged', 'BILL-009', 'fault-charge'],
    'endpoints/tasks/charge.ts',
    unitsMade,
    'const units = unitsMade(unit, ending) * Math.max(1, task.startTries + task.pollTries);',
  ),
];

const received = 'endpoints/images/receive-pictures.ts';
const read = 'upstreams/images/read-images.ts';

const pictures: readonly Mutant[] = [
  front(
    ['faults.pictures-anyway', 'pictures that never came are answered', 'IMG-013', 'false-success'],
    drawsAnyway(() => true),
  ),
  front(
    ['faults.bad-pictures-anyway', 'pictures that are none are answered', 'IMG-020', 'false-success'],
    drawsAnyway(() => true),
  ),
  source(
    ['faults.pictures-short', 'fewer pictures than were asked for will do', 'IMG-013', 'false-success'],
    read,
    'if (images.length === count) return',
    'if (images.length > 0 || listed.length === 0) return',
  ),
  source(
    ['faults.pictures-filter-unread', 'a filter is a failure of its upstream', 'ERR-027', 'fault-code'],
    read,
    "if (isFiltered(body, listed)) return failure('policy', 'a filter dropped pictures', { status: 200 });",
    "if (isFiltered(body, listed)) return failure('unusable', 'a filter dropped pictures', { status: 200 });",
  ),
  source(
    ['faults.pictures-unseen', 'a picture is what is called one', 'IMG-020', 'false-success'],
    received,
    "if (facts === null) return failure('unusable', 'a picture is none, or not whole');",
    "if (facts === null) return { kind: 'fetched', bytes, facts: { extension: 'png', width: 1, height: 1 } };",
  ),
  source(
    ['faults.pictures-too-large', 'a picture may have any size', 'IMG-020', 'false-success'],
    received,
    'if (Math.max(...sides) > long || Math.min(...sides) > short) {',
    'if (Math.max(...sides) > 2 * long + short * 1_000) {',
  ),
  source(
    ['faults.pictures-charged', 'pictures that never came have a price', 'BILL-008', 'fault-charge'],
    'endpoints/images/charge.ts',
    'charge_pico: chargeForUnits(images, price.unitPico, price.markupBp),',
    'charge_pico: chargeForUnits(Math.max(1, images), price.unitPico, price.markupBp),',
  ),
];

export const jobFaultMutants: readonly Mutant[] = [
  ...ends,
  ...starts,
  ...questions,
  ...made,
  ...charges,
  ...pictures,
];
