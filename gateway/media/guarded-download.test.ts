import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RealClock, TestClock } from '../clock.ts';
import { createOutbound } from '../outbound/create-outbound.ts';
import { type Resolve, scriptedResolve } from '../outbound/resolve.ts';
import { type Canary, type FakeInternet, fakeInternet, startCanary } from '../testing/canary.ts';
import { type FakeUpstream, startFakeUpstream } from '../testing/fake-upstream.ts';
import { memoryFiles } from '../testing/memory-files.ts';
import { file, mp4 } from '../testing/native-media.ts';
import { publicNames } from '../testing/url-spellings.ts';
import { createUpstreamClient } from '../upstreams/client.ts';
import { fetchOutput } from './fetch-output.ts';

const limits = {
  connect_timeout_ms: 1000,
  first_byte_timeout_ms: 1000,
  idle_timeout_ms: 1000,
  total_timeout_ms: 2000,
  answer_bytes: 1,
};

let canary: Canary;
/** Stands for every public host. */
let anybody: FakeUpstream;
let internet: FakeInternet;
beforeAll(async () => {
  canary = await startCanary();
  anybody = await startFakeUpstream();
  anybody.answer = file(mp4);
  internet = fakeInternet(Number(new URL(anybody.url).port));
});
afterEach(() => {
  expect(canary.connections()).toBe(0);
  anybody.asked.length = 0;
  anybody.answer = file(mp4);
  internet.reached.length = 0;
});
afterAll(async () => {
  await anybody.close();
  await canary.close();
});

/** Fetches all links of one upstream with retries, and returns how each ended. */
async function fetchAll(
  links: readonly string[],
  {
    resolve = scriptedResolve({}),
    upstreamUrl = 'http://127.0.0.1:1/v1',
  }: { resolve?: Resolve; upstreamUrl?: string } = {},
): Promise<(readonly [string, string])[]> {
  const outbound = createOutbound({ ports: [], allowedHosts: [], resolve, dial: internet.dial });
  const upstreams = createUpstreamClient(limits, new RealClock(), outbound);
  const clock = new TestClock();
  const upstream = { baseUrl: upstreamUrl, apiKey: 'upstream-key' };
  const deps = { upstreams, clock, files: memoryFiles(() => 'x'), maxBytes: 1_000_000, upstream };
  let isOver = false;
  const fetching = Promise.all(
    links.map(async (url) => {
      const came = await fetchOutput(deps, { url, want: 'video' }, new AbortController().signal);
      return [url, came.kind === 'failure' ? came.reason : came.kind] as const;
    }),
  ).finally(() => {
    isOver = true;
  });
  // Only the waits between attempts use the test clock.
  const push = async (): Promise<void> => {
    for (; !isOver; await new Promise((done) => setImmediate(done))) await clock.advance(100);
  };
  const [came] = await Promise.all([fetching, push()]);
  await upstreams.close();
  return came;
}

const all = (links: readonly string[], kind: string) => links.map((url) => [url, kind]);
const atCanary = (url: string): string => url.replace('{port}', String(canary.port));

describe('a link of an upstream', () => {
  it('leads to no private place', async () => {
    const links = ['https', 'http'].map((scheme) => atCanary(`${scheme}://127.0.0.1:{port}/x`));
    expect(await fetchAll(links)).toEqual(all(links, 'unusable'));
    expect(internet.reached).toEqual([]);
  });

  it('is resolved for each attempt, and not followed to a private address', async () => {
    const link = `http://files.example.com:${canary.port}/x.mp4`;
    const resolve = scriptedResolve({ 'files.example.com': [['93.184.215.14'], ['127.0.0.1'], ['8.8.8.8']] });
    anybody.answer = (response) => void response.writeHead(503).end();
    anybody.answers.push(anybody.answer, file(mp4));
    expect(await fetchAll([link], { resolve })).toEqual([[link, 'kept']]);
    expect(internet.reached).toEqual(['93.184.215.14', '8.8.8.8']);
  });

  it.for([301, 302, 303, 307, 308])(
    'is not followed to a private place after status %i, once or twice',
    async (status) => {
      const target = `http://127.0.0.1:${canary.port}/x.mp4`;
      const hops: Readonly<Record<string, string>> = { '/once': target, '/twice': 'http://example.com/once' };
      anybody.answer = (response, { path }) => {
        response.writeHead(status, { location: hops[path] ?? target }).end();
      };
      const links = ['http://example.com/once', 'http://example.com/twice'];
      const resolve = scriptedResolve(publicNames);
      expect(await fetchAll(links, { resolve })).toEqual(all(links, 'unusable'));
      // The same holds for redirects from the upstream itself.
      const own = ['/once', '/twice'].map((path) => `${anybody.url}${path}`);
      expect(await fetchAll(own, { resolve, upstreamUrl: `${anybody.url}/v1` })).toEqual(
        all(own, 'unusable'),
      );
      expect(new Set(anybody.asked.map(({ path }) => path))).toEqual(new Set(['/once', '/twice']));
    },
  );

  it('may lead to the upstream itself at any address, but to no other port or scheme there', async () => {
    const own = `${anybody.url}/files/x.mp4`;
    expect(await fetchAll([own], { upstreamUrl: `${anybody.url}/lane-01/v1` })).toEqual([[own, 'kept']]);
    const others = [
      own.replace('127.0.0.1', 'localhost'),
      own.replace('http', 'https'),
      atCanary('http://127.0.0.1:{port}/x'),
    ];
    expect(await fetchAll(others, { upstreamUrl: `${anybody.url}/v1` })).toEqual(all(others, 'unusable'));
  });
});
