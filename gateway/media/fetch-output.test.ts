import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RealClock, TestClock } from '../clock.ts';
import { createOutbound } from '../outbound/create-outbound.ts';
import { scriptedResolve } from '../outbound/resolve.ts';
import { type FakeUpstream, json, type Reply, startFakeUpstream } from '../testing/fake-upstream.ts';
import { memoryFiles } from '../testing/memory-files.ts';
import { cutFile, file, mp3, mp4, pngOf } from '../testing/native-media.ts';
import { createUpstreamClient, type UpstreamClient } from '../upstreams/client.ts';
import { fetchOutput } from './fetch-output.ts';
import type { Wanted } from './inspect-output.ts';

const limits = {
  connect_timeout_ms: 1000,
  first_byte_timeout_ms: 1000,
  idle_timeout_ms: 1000,
  total_timeout_ms: 2000,
  answer_bytes: 1,
};

describe('an output of a job', () => {
  let upstream: FakeUpstream;
  let upstreams: UpstreamClient;
  let count = 0;
  const files = memoryFiles(() => {
    count += 1;
    return `file${count}`;
  });
  const clock = new TestClock();
  const keptNow = (): number => files.kept.size;
  beforeAll(async () => {
    upstream = await startFakeUpstream();
    const outbound = createOutbound({ ports: [], allowedHosts: [], resolve: scriptedResolve({}) });
    upstreams = createUpstreamClient(limits, new RealClock(), outbound);
  });
  afterAll(async () => {
    await upstreams.close();
    await upstream.close();
  });
  beforeEach(() => {
    upstream.asked.length = 0;
  });

  const fetch = async (answers: readonly Reply[], want: Wanted, maxBytes = 10_000_000) => {
    upstream.answers.splice(0, Infinity, ...answers);
    const url = `${upstream.url}/files/x.bin?signature=abc`;
    const fetching = fetchOutput(
      { upstreams, clock, files, maxBytes, upstream: { baseUrl: upstream.url, apiKey: 'k' } },
      { url, want },
      new AbortController().signal,
    );
    let isOver = false;
    void fetching.finally(() => {
      isOver = true;
    });
    // Only the waits between attempts use the test clock.
    const push = async (): Promise<void> => {
      for (; !isOver; await new Promise((resolve) => setImmediate(resolve))) await clock.advance(100);
    };
    const [result] = await Promise.all([fetching, push()]);
    return result;
  };

  it.for([
    ['video', mp4, 'mp4'],
    ['audio', mp3, 'mp3'],
    ['image', pngOf(5, 5), 'png'],
    ['text', Buffer.from('[00:01.00] La mer'), 'lrc'],
  ] as const)('is kept as it is served: %s', async ([want, bytes, extension]) => {
    const result = await fetch([file(bytes, 'binary/octet-stream')], want);
    if (result.kind !== 'kept') throw new Error(JSON.stringify(result));
    expect(result).toMatchObject({ what: want, file: { bytes: bytes.length } });
    expect(result.file.name).toMatch(new RegExp(`\\.${extension}$`));
    expect(files.kept.get(result.file.name)?.equals(bytes)).toBe(true);
    expect(upstream.asked).toHaveLength(1);
    expect(upstream.asked[0]?.path).toBe('/files/x.bin?signature=abc');
    expect(upstream.asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is fetched again when it was cut, rejected or invalid, and kept once', async () => {
    const kept = keptNow();
    const page: Reply = file(Buffer.from('<!doctype html><p>wait'), 'text/html');
    for (const bad of [cutFile(mp4), json(404, {}), json(503, {}), page, file(mp4.subarray(0, 500))]) {
      upstream.asked.length = 0;
      expect(await fetch([bad, file(mp4)], 'video')).toMatchObject({ kind: 'kept' });
      expect(upstream.asked).toHaveLength(2);
    }
    expect(keptNow()).toBe(kept + 5);
  });

  it.for<[string, Reply]>([
    ['a link that has ended', json(403, {})],
    ['a file that is always cut', cutFile(mp4)],
    ['a film without its end', file(mp4.subarray(0, -1))],
    ['a page', file(Buffer.from('<html>'), 'video/mp4')],
    ['nothing', file(Buffer.alloc(0))],
  ])('fails with %s in the end, and nothing is kept', async ([, bad]) => {
    const kept = keptNow();
    expect(await fetch([bad, bad, bad, file(mp4)], 'video')).toMatchObject({ kind: 'failure' });
    expect(upstream.asked).toHaveLength(3);
    expect(keptNow()).toBe(kept);
  });

  it('is of another kind when it is an image of a video, and nothing is kept', async () => {
    const kept = keptNow();
    expect(await fetch([file(pngOf(2, 2), 'video/mp4')], 'video')).toEqual({ kind: 'other' });
    expect(keptNow()).toBe(kept);
  });

  const redirect =
    (location: string): Reply =>
    (response) =>
      void response.writeHead(302, { location }).end();

  it('is fetched where redirects of its upstream lead, but not round and round', async () => {
    const hops = ['/a', '/b?x=1', `${upstream.url}/c`].map(redirect);
    expect(await fetch([...hops, file(mp4)], 'video')).toMatchObject({ kind: 'kept' });
    expect(upstream.asked.map(({ path }) => path).slice(1)).toEqual(['/a', '/b?x=1', '/c']);
    const round = Array.from({ length: 12 }, () => redirect('/a'));
    expect(await fetch([...round, file(mp4)], 'video')).toMatchObject({ kind: 'failure', status: 302 });
  });

  it('is fetched with the key of its upstream only after a request without it was refused', async () => {
    const asked: unknown[] = [];
    const guarded: Reply = (response, request) => {
      asked.push(request.headers.authorization);
      void (request.headers.authorization === 'Bearer k' ? file(mp4) : json(401, {}))(response, request);
    };
    expect(await fetch([guarded, guarded], 'video')).toMatchObject({ kind: 'kept' });
    expect(asked).toEqual([undefined, 'Bearer k']);
  });

  it('is kept when it stands in the link itself, up to the limit', async () => {
    const url = `data:video/mp4;base64,${mp4.toString('base64')}`;
    const deps = { upstreams, clock, files, upstream: null };
    const fetching = (maxBytes: number) =>
      fetchOutput({ ...deps, maxBytes }, { url, want: 'video' }, new AbortController().signal);
    expect(await fetching(mp4.length)).toMatchObject({ kind: 'kept' });
    expect(await fetching(mp4.length - 1)).toMatchObject({ kind: 'failure', reason: 'unusable' });
  });

  it('fails when it is larger than the limit', async () => {
    const large = file(mp4);
    const result = await fetch([large, large, large], 'video', mp4.length - 1);
    expect(result).toMatchObject({ kind: 'failure', reason: 'unusable' });
  });

  it('is given up when the upstream requests a long wait', async () => {
    const late: Reply = (response) => void response.writeHead(503, { 'retry-after': '60' }).end();
    expect(await fetch([late, file(mp4)], 'video')).toMatchObject({ kind: 'failure', retryAfterMs: 60_000 });
    expect(upstream.asked).toHaveLength(1);
  });

  it.for(['file:///etc/passwd', 'ftp://127.0.0.1/x', '/files/x', 'http://', ''])(
    'is not fetched from %j',
    async (url) => {
      const result = await fetchOutput(
        { upstreams, clock, files, maxBytes: 10, upstream: { baseUrl: upstream.url, apiKey: 'k' } },
        { url, want: 'video' },
        new AbortController().signal,
      );
      expect(result).toMatchObject({ kind: 'failure', reason: 'unusable' });
    },
  );

  it('is given up at once when the caller leaves', async () => {
    upstream.answers.splice(0, Infinity, json(404, {}));
    const leave = new AbortController();
    const url = `${upstream.url}/x`;
    const fetching = fetchOutput(
      {
        upstreams,
        clock: new TestClock(),
        files,
        maxBytes: 10,
        upstream: { baseUrl: upstream.url, apiKey: 'k' },
      },
      { url, want: 'video' },
      leave.signal,
    );
    await expect.poll(() => upstream.asked.length).toBe(1);
    leave.abort();
    expect(await fetching).toEqual({ kind: 'client_left' });
  });
});
