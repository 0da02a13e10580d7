import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type FakeUpstream, json, type SeenRequest, startFakeUpstream } from '../fake-upstream.ts';
import { type NativeJobs, playJobs, playRecords } from '../native-jobs.ts';
import { file, mp3, mp4, pngOf } from '../native-media.ts';
import { type CallsInFlight, watchCalls } from './calls-in-flight.ts';
import { piecesFor, plainFor } from './native-answers.ts';
import { numberIn, secondsOf } from './numbered.ts';
import type { Sightings } from './sightings.ts';

/** Upstreams of all dialects, which outlive every gateway process and tell what they see. */
export interface AuditUpstreams {
  /** Base URLs by dialect, for the gateway process with this number. */
  channels(gateway: number): readonly object[];
  readonly calls: CallsInFlight;
  /** Jobs by the id of their task; each start is one entry. */
  jobs(): readonly { readonly taskId: string; readonly n: number }[];
  /** Drops what was recorded of finished requests. */
  forgetSeen(): void;
  close(): Promise<void>;
}

/** Answers a call to a chat upstream in place of the usual answer, or resolves with false. */
export type Meddle = (response: ServerResponse, seen: SeenRequest, n: number) => Promise<boolean>;

/** Number of polls until a job is done. */
const looksNeeded = 2;
const picture = pngOf(8, 8);
const lookEveryMs = 5;
const mostLooks = 100;

/** Splits a path into the number of the calling gateway process and the rest. */
function splitPath(path: string): { gateway: number; rest: string } {
  const [, gateway = '', rest = ''] = /^\/g(\d+)(\/.*)$/.exec(path) ?? [];
  return { gateway: Number(gateway), rest };
}

export async function startAuditUpstreams(
  sightings: Sightings,
  meddle: Meddle = async () => false,
): Promise<AuditUpstreams> {
  const [chats, jobs, records] = [
    await startFakeUpstream(),
    await startFakeUpstream(),
    await startFakeUpstream(),
  ];
  const calls = watchCalls();
  chats.fallback = (response, seen) =>
    answerCall(response, seen, { sightings, calls, meddle, url: chats.url });
  chats.answer = (response, seen) => sendFile(response, seen, picture, sightings);
  const natives = [
    playNumbered(jobs, playJobs(jobs), mp4, sightings),
    playNumbered(records, playRecords(records), mp3, sightings),
  ];
  const channel = (
    gateway: number,
    id: string,
    dialect: string,
    { url }: FakeUpstream,
    ...models: string[]
  ) => ({
    id,
    dialect,
    base_url: `${url}/g${gateway}/v1`,
    api_key: 'upstream-secret',
    models: Object.fromEntries(models.map((model) => [model, `native-${model}`])),
  });
  return {
    channels: (gateway) => [
      channel(gateway, 'text', 'chat-completions', chats, 'delta-3'),
      channel(gateway, 'text-a', 'messages', chats, 'beta-large-4-5'),
      channel(gateway, 'text-b', 'generate-content', chats, 'gamma-3-pro'),
      channel(gateway, 'pictures', 'images', chats, 'dream-4-0'),
      channel(gateway, 'video', 'jobs', jobs, 'vidB2'),
      channel(gateway, 'studio', 'callback-jobs', records, 'voice-music', 'voice-v3', 'song-v5'),
    ],
    calls,
    jobs: () =>
      natives.flatMap(({ made }) =>
        made.map(({ name, body }) => ({ taskId: name, n: numberIn(JSON.stringify(body))?.n ?? -1 })),
      ),
    forgetSeen: () => {
      for (const { seen, asked, counted } of [chats, jobs, records])
        for (const kept of [seen, asked, counted]) kept.length = 0;
    },
    close: async () => {
      await Promise.all([chats.close(), jobs.close(), records.close()]);
    },
  };
}

interface Watching {
  readonly sightings: Sightings;
  readonly calls: CallsInFlight;
  readonly meddle: Meddle;
  readonly url: string;
}

/** Answers a chat request in its dialect, or an image request; streams pause between two pieces. */
async function answerCall(
  response: ServerResponse,
  seen: SeenRequest,
  { sightings, calls, meddle, url }: Watching,
): Promise<void> {
  const request = numberIn(seen.text);
  if (request === null) return void json(400, { error: { message: 'no number' } })(response, seen);
  const { n } = request;
  const { gateway, rest } = splitPath(seen.path);
  sightings.reachedUpstream(n);
  const end = calls.begin({ ...request, gateway });
  response.once('close', end);
  response.once('finish', end);
  if (await meddle(response, seen, n)) return;
  await wait(n % 4);
  if (rest.endsWith('/images/generations')) {
    json(200, { created: 1, data: [{ url: `${url}/g${gateway}/files/${n}` }] })(response, seen);
    return;
  }
  response.once('finish', () => sightings.upstreamEnded(n, gateway));
  const isStream = seen.body.stream === true || rest.includes(':streamGenerateContent');
  const [first = '', ...others] = piecesFor(rest, n);
  if (!isStream) return void json(200, plainFor(rest, n))(response, seen);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(first);
  await untilBegun(sightings, n);
  await wait(10 + (n % 20));
  response.end(others.join(''));
}

/** On a busy machine the stream could otherwise end before its caller sees it begin. */
async function untilBegun({ all }: Sightings, n: number): Promise<void> {
  for (let looks = 0; looks < mostLooks && all.get(n)?.beganAtMs === null; looks += 1)
    await wait(lookEveryMs);
}

function sendFile(response: ServerResponse, seen: SeenRequest, bytes: Buffer, sightings: Sightings): void {
  const { gateway, rest } = splitPath(seen.path);
  response.once('finish', () => sightings.upstreamEnded(Number(rest.split('/').at(-1)), gateway));
  void file(bytes)(response, seen);
}

/** Completes each job after a few polls, with its own file and length. */
function playNumbered(
  upstream: FakeUpstream,
  native: NativeJobs,
  bytes: Buffer,
  sightings: Sightings,
): NativeJobs {
  const looks = new Map<string, number>();
  const { answer, fallback } = upstream;
  const unprefixed = (seen: SeenRequest): SeenRequest => ({ ...seen, path: splitPath(seen.path).rest });
  upstream.fallback = (response, seen) => {
    const request = numberIn(seen.text);
    if (request !== null) sightings.reachedUpstream(request.n);
    return fallback(response, unprefixed(seen));
  };
  upstream.answer = (response, seen) => {
    const { gateway, rest } = splitPath(seen.path);
    if (rest.startsWith('/files/')) return sendFile(response, seen, bytes, sightings);
    const id = /^\/v1\/jobs\/(.+)$|[?&]taskId=(.+)$/.exec(rest)?.slice(1).find(Boolean) ?? '';
    const job = native.made.find((one) => one.id === id);
    const looked = (looks.get(id) ?? 0) + 1;
    looks.set(id, looked);
    if (job !== undefined && looked >= looksNeeded) {
      const { n } = numberIn(JSON.stringify(job.body)) ?? { n: -1 };
      native.records.set(id, doneRecord(`${upstream.url}/g${gateway}/files/${n}`, secondsOf(n)));
    }
    return answer(response, unprefixed(seen));
  };
  return native;
}

/** A finished job for both dialects; each reads its own members. */
function doneRecord(url: string, seconds: number): Record<string, unknown> {
  return {
    status: 'SUCCESS',
    output: [{ url, type: 'video/mp4', duration_seconds: seconds }],
    results: [{ url, kind: 'audio', durationSec: seconds }],
  };
}
