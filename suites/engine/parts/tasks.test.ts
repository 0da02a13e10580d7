import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Violation } from '../../rules/violation.ts';
import { createTestParts } from '../../testing/create-test-parts.ts';
import type { WireClient, WireRequest } from '../../wire/client.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

const png = readFileSync(fileURLToPath(new URL('../../../fixtures/media/sea.png', import.meta.url)));

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: object | Buffer;
  readonly location?: string;
}

/** The parts of a check on a deployment that gives these answers in turn, the last one again and again. */
function partsOf(...answers: Answer[]) {
  const asked: { method: string; path: string; headers: Readonly<Record<string, string>> }[] = [];
  const live = (method: string, url: string, body: unknown): LiveExchange => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    const { status = 200, type = 'application/json', body: said = {}, location } = answer ?? {};
    const exchange: Exchange = {
      label: '',
      request: { method, url, headers: [], body: Buffer.from(JSON.stringify(body ?? null)) },
      response: {
        status,
        headers: [
          ['content-type', type],
          ...(location === undefined ? [] : [['location', location] as const]),
        ],
        body: Buffer.isBuffer(said) ? said : Buffer.from(JSON.stringify(said)),
        firstByteMs: 1,
        endMs: 1,
        complete: true,
      },
      error: null,
      sentAt: Date.now(),
      endedAt: Date.now(),
    };
    return { done: Promise.resolve(exchange) } as LiveExchange;
  };
  const client = {
    open: (request: WireRequest) => {
      asked.push({ method: request.method, path: request.path, headers: request.headers ?? {} });
      return live(request.method, request.path, request.body);
    },
    fetch: (url: string) => {
      asked.push({ method: 'GET', path: url, headers: {} });
      return live('GET', url, null);
    },
  } as unknown as WireClient;
  return { ...createTestParts({ tasks: { poll_ms: 1 } }, { client }), asked };
}

async function findingOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'nothing';
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return `${error.finding.requirement} ${error.finding.aspect}`;
  }
}

const now = (): number => Math.floor(Date.now() / 1000);
const task = (status: string, more: object = {}): Answer => ({ body: { task_id: 't-1', status, ...more } });
const url = 'https://x.example/a.png';

it('follows a task to its end, and offers gzip on every other read', async () => {
  const { tasks, asked } = partsOf(task('QUEUED'), task('RUNNING'), task('SUCCESS', { result_urls: [url] }));
  const { last, trace } = await tasks.follow('t-1');
  expect(last.resultUrls).toEqual([url]);
  expect(trace.statuses).toEqual(['QUEUED', 'RUNNING', 'SUCCESS']);
  expect(asked.map(({ path, headers }) => `${path} ${headers['accept-encoding']}`)).toEqual([
    '/api/v1/tasks/t-1 identity',
    '/api/v1/tasks/t-1 gzip',
    '/api/v1/tasks/t-1 identity',
  ]);
});

it('says of a task that does not end how far it came, or shows it where it need not end', async () => {
  const { tasks } = partsOf(task('RUNNING'));
  expect(await findingOf(() => tasks.follow('t-1', { withinMs: 5 }))).toBe('TASK-019 ends');
  const { isDone, last } = await tasks.watch('t-1', { withinMs: 5 });
  expect([isDone, last.status]).toEqual([false, 'RUNNING']);
});

it('judges all reads of a task together, also those of another key', async () => {
  const { tasks } = partsOf(task('RUNNING'), task('QUEUED'));
  tasks.record(await tasks.read('t-1'), 't-1');
  const other = await tasks.read('t-1', { key: 'sk-app-2' });
  expect(await findingOf(() => tasks.record(other, 't-1'))).toBe('STATE-009 no-earlier-state');
});

it('takes a submission on, asks for the time of a video, and keeps its id out of digests', async () => {
  const { tasks, record } = partsOf(
    task('QUEUED'),
    task('QUEUED', { submit_time: new Date().toISOString() }),
  );
  const song = await tasks.submit({ model: 'song-v5' });
  expect(await findingOf(() => tasks.accepted(song))).toBe('nothing');
  expect(await findingOf(async () => tasks.accepted(await tasks.submit({ model: 'vidB2' })))).toBe('nothing');
  const late = partsOf(task('QUEUED')).tasks;
  expect(await findingOf(async () => late.accepted(await late.submit({ model: 'vidB2' })))).toBe(
    'TASK-012 submit-time',
  );
  expect(record.issued).toContain('t-1');
});

it.for<[string, string, Answer]>([
  ['lower case', 'nothing', task('queued')],
  ['another status', 'TASK-011 queued-on-submit', task('RUNNING')],
  ['no id', 'TASK-009 shape', { body: { status: 'QUEUED' } }],
  ['an error', 'TASK-009 accepted', { status: 400, body: {} }],
  ['an old time', 'TASK-012 submit-time', task('QUEUED', { submit_time: '2020-01-01T00:00:00Z' })],
])('of a submission answered with %s: %s', async ([, found, answer]) => {
  const { tasks } = partsOf(answer);
  expect(await findingOf(async () => tasks.accepted(await tasks.submit({})))).toBe(found);
});

it.for<[string, string, Answer]>([
  ['results before its end', 'TASK-016 no-results-before', task('RUNNING', { result_urls: [url] })],
  ['no results at its end', 'TASK-015 result-urls', task('SUCCESS', { result_urls: [] })],
  ['relative results', 'TASK-015 result-urls', task('SUCCESS', { result_urls: ['/a.png'] })],
  ['results of a failure', 'STATE-006 no-results', task('FAILED', { result_urls: [url] })],
  ['a status in lower case', 'STATE-001 shape', task('queued')],
  ['a length that is a text', 'TASK-017 shape', task('SUCCESS', { result_urls: [url], duration_sec: '8' })],
  ['a raw error', 'STATE-006 normalised-error', task('FAILED', { error: 'NSFW' })],
  ['empty results before its end', 'nothing', task('RUNNING', { result_urls: [], eta_s: 5 })],
])('of a record with %s: %s', async ([, found, answer]) => {
  const { tasks } = partsOf(answer);
  expect(await findingOf(async () => tasks.record(await tasks.read('t-1'), 't-1'))).toBe(found);
});

it('finds the results of sound under any name, and those of a film under the name that the text gives', async () => {
  const named = task('SUCCESS', { outputs: [{ url }], webhook_url: 'https://hooks.example/x' });
  for (const [model, found, urls] of [
    ['song-v5', 'nothing', [url]],
    ['vidB2', 'TASK-015 result-urls', []],
  ] as const) {
    const { tasks } = partsOf(task('QUEUED', { submit_time: new Date().toISOString() }), named);
    tasks.accepted(await tasks.submit({ model }));
    const exchange = await tasks.read('t-1');
    expect(await findingOf(async () => tasks.record(exchange, 't-1'))).toBe(found);
    if (urls.length > 0) expect(tasks.record(exchange, 't-1').resultUrls).toEqual(urls);
  }
});

it('counts the pictures of an answer, and looks at what stands at their addresses', async () => {
  const { images } = partsOf(
    { body: { created: now(), data: [{ url }] } },
    { status: 302, body: {}, location: '/b.png' },
    { type: 'image/png', body: png },
  );
  const exchange = await images.generate({ model: 'kontext-pro' });
  expect(await findingOf(() => images.pictured(exchange, { n: 2 }))).toBe('IMG-013 one-for-each');
  const [picture] = images.pictured(exchange).pictures;
  if (picture === undefined) throw new Error('no picture');
  expect((await images.look(picture, exchange)).sniffed).toMatchObject({ kind: 'image', format: 'png' });
});

it.for<[string, string, object]>([
  ['milliseconds', 'IMG-018 created-now', { created: Date.now(), data: [{ url }] }],
  ['neither form', 'IMG-019 shape', { created: now(), data: [{ revised_prompt: 'x' }] }],
  ['the other form', 'IMG-020 absolute-url', { created: now(), data: [{ b64_json: 'AAAA' }] }],
])('of pictures with %s: %s', async ([, found, body]) => {
  const { images } = partsOf({ body });
  const exchange = await images.generate({ model: 'kontext-pro' });
  expect(await findingOf(() => images.pictured(exchange))).toBe(found);
});

it('takes base64 with a data URI before it for no picture', async () => {
  const data = [{ b64_json: `data:image/png;base64,${png.toString('base64')}` }];
  const { images } = partsOf({ body: { created: now(), data } });
  const exchange = await images.generate({ model: 'kontext-pro' });
  expect(await findingOf(() => images.pictured(exchange, { form: 'b64_json' }))).toBe('IMG-021 plain-base64');
});
