import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { TestClock } from '../clock.ts';
import { type Canary, startCanary } from '../testing/canary.ts';
import { type ManyEnds, startManyEnds } from '../testing/channels.ts';
import { type FakeUpstream, json, type Reply, startFakeUpstream } from '../testing/fake-upstream.ts';
import { mediaBody } from '../testing/media-bodies.ts';
import { playJobs, playRecords } from '../testing/native-jobs.ts';
import { file, mp3, mp4, pngOf } from '../testing/native-media.ts';
import { startTaskEnds, type TaskEnds } from '../testing/task-ends.ts';
import { hookToken } from '../testing/test-gateway.ts';

let canary: Canary;
/** Serves files from an allowed host. */
let store: FakeUpstream;
let ends: TaskEnds;
let upstream: FakeUpstream;
let pictures: ManyEnds;
let painter: FakeUpstream;
beforeAll(async () => {
  canary = await startCanary();
  store = await startFakeUpstream();
  const local = [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::1']];
  const test = {
    clock: true,
    token: hookToken,
    allowed_hosts: [new URL(store.url).host],
    resolver: { 'files.example.com': local },
  };
  ends = await startTaskEnds(1, { test });
  pictures = await startManyEnds([{ dialect: 'images', models: { 'dream-4-0': 'native-dream' } }], {
    test,
    breaker: { consecutive_failures: 100, window_least: 100 },
  });
  const [[one], [other]] = [ends.upstreams, pictures.upstreams];
  if (one === undefined || other === undefined) throw new Error('no upstreams');
  [upstream, painter] = [one, other];
});
beforeEach(() => {
  for (const list of [upstream.asked, upstream.answers, store.asked]) list.length = 0;
});
afterAll(async () => {
  await ends.close();
  await pictures.close();
  await store.close();
  await canary.close();
});

/** Links that the gateway must not follow. The last one is at the upstream itself, which redirects. */
const links: readonly (readonly [string, (own: FakeUpstream) => string])[] = [
  ['this machine', () => `http://127.0.0.1:${canary.port}/x`],
  ['this machine, in numbers', () => `http://2130706433:${canary.port}/x`],
  ['this machine, in IPv6', () => `http://[::1]:${canary.port}/x`],
  ['localhost', () => `https://localhost:${canary.port}/x`],
  ['a name that stands for this machine', () => `http://files.example.com:${canary.port}/x`],
  ['the data of a cloud', () => 'http://169.254.169.254/latest/meta-data/'],
  ['an upstream that sends us on', ({ url }) => `${url}/files/moved`],
];
const moved: Reply = (response) => {
  response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/x` }).end();
};
/** Advances the clock until the work is done, because waits depend on it. */
const pushed = async <Result>(clock: TestClock, working: Promise<Result>): Promise<Result> => {
  let isOver = false;
  void working.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await clock.advance(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return await working;
};

it.for([
  ['vidB2', playJobs, mp4, (url: string) => ({ status: 'completed', output: [{ url }] })],
  ['voice-v3', playRecords, mp3, (url: string) => ({ status: 'SUCCESS', results: [{ url }] })],
] as const)(
  'a job of %s has made nothing that is at a private place',
  async ([model, play, bytes, record]) => {
    const native = play(upstream);
    native.files.set('moved', moved);
    for (const [where, link] of links) {
      native.record = record(link(upstream));
      const task = await ends.submit(model);
      expect((await ends.start(task)).kind).toBe('started');
      expect([where, await pushed(ends.gateway.clock, ends.check(task))]).toMatchObject([
        where,
        { kind: 'unclear' },
      ]);
    }
    expect(canary.connections()).toBe(0);

    // A file on an allowed host, and one on the upstream itself.
    native.files.set('own', file(bytes));
    store.answer = file(bytes);
    for (const url of [`${store.url}/x`, `${upstream.url}/files/own`]) {
      native.record = record(url);
      const task = await ends.submit(model);
      await ends.start(task);
      expect(await pushed(ends.gateway.clock, ends.check(task))).toMatchObject({
        kind: 'ended',
        ending: { status: 'SUCCESS' },
      });
    }
    expect(store.asked).toHaveLength(1);
  },
);

it('an image request fails if the link of the image leads to a private address', async () => {
  const { gateway } = pictures;
  const painted = (url: string): Promise<{ readonly status: number }> => {
    painter.fallback = json(200, { created: 1, data: [{ url }] });
    return pushed(gateway.clock, gateway.images(mediaBody('dream-4-0')));
  };
  painter.answer = moved;
  for (const [where, link] of links)
    expect([where, await painted(link(painter))]).toMatchObject([
      where,
      { status: 502, json: { error: { code: 'upstream_error', channel: 'a' } } },
    ]);
  expect(canary.connections()).toBe(0);

  [painter, store].forEach((one) => {
    one.answer = file(pngOf(8, 8));
  });
  for (const { url } of [painter, store]) expect((await painted(`${url}/x.png`)).status).toBe(200);
  expect(store.asked).toHaveLength(1);
});
