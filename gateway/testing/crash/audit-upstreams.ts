import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { delta, type FakeUpstream, json, type SeenRequest, startFakeUpstream } from '../fake-upstream.ts';
import { generateEvent, response as generateResponse } from '../generate-content-upstream.ts';
import { blockDelta, messageEvent } from '../messages-upstream.ts';
import { type NativeJobs, playJobs, playRecords } from '../native-jobs.ts';
import { file, mp3, mp4, pngOf } from '../native-media.ts';
import { type CallsInFlight, watchCalls } from './calls-in-flight.ts';
import { numberIn, secondsOf, tokensOf } from './numbered.ts';
import type { Sightings } from './sightings.ts';

/** Upstreams of all dialects, which outlive every gateway process and tell what they see. */
export interface AuditUpstreams {
  /** Base URLs by dialect, for a gateway process of this number. */
  channels(gateway: number): readonly object[];
  readonly calls: CallsInFlight;
  /** Jobs by the id of the task that they were made for; each start is one entry. */
  jobs(): readonly { readonly taskId: string; readonly n: number }[];
  close(): Promise<void>;
}

/** A job is looked at so often before it is done. */
const looksNeeded = 2;
const picture = pngOf(8, 8);

/** The number of the gateway process that calls, which stands first in the path, and the rest of that. */
function splitPath(path: string): { gateway: number; rest: string } {
  const [, gateway = '', rest = ''] = /^\/g(\d+)(\/.*)$/.exec(path) ?? [];
  return { gateway: Number(gateway), rest };
}

export async function startAuditUpstreams(sightings: Sightings): Promise<AuditUpstreams> {
  const [chats, jobs, records] = [
    await startFakeUpstream(),
    await startFakeUpstream(),
    await startFakeUpstream(),
  ];
  const calls = watchCalls();
  chats.fallback = (response, seen) => answerCall(response, seen, { sightings, calls, url: chats.url });
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
    close: async () => {
      await Promise.all([chats.close(), jobs.close(), records.close()]);
    },
  };
}

interface Watching {
  readonly sightings: Sightings;
  readonly calls: CallsInFlight;
  readonly url: string;
}

/** Answers a chat in the words of its dialect, or a request for a picture; streams with a rest between two pieces. */
async function answerCall(
  response: ServerResponse,
  seen: SeenRequest,
  { sightings, calls, url }: Watching,
): Promise<void> {
  const request = numberIn(seen.text);
  if (request === null) return void json(400, { error: { message: 'no number' } })(response, seen);
  const { n } = request;
  const { gateway, rest } = splitPath(seen.path);
  sightings.reachedUpstream(n);
  const end = calls.begin({ ...request, gateway });
  response.once('close', end);
  response.once('finish', end);
  await wait(n % 4);
  if (rest.endsWith('/images/generations')) {
    json(200, { created: 1, data: [{ url: `${url}/g${gateway}/files/${n}` }] })(response, seen);
    return;
  }
  response.once('finish', () => sightings.upstreamEnded(n, gateway));
  const isStream = seen.body.stream === true || rest.includes(':streamGenerateContent');
  const [first = '', ...others] = wordsFor(rest, n);
  if (!isStream) return void json(200, plainFor(rest, n))(response, seen);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(first);
  await wait(3 + (n % 5));
  response.end(others.join(''));
}

function usageA(n: number): object {
  const { prompt, cached, completion } = tokensOf(n);
  return { input_tokens: prompt - cached, cache_read_input_tokens: cached, output_tokens: completion };
}

function usageB(n: number): object {
  const { prompt, cached, completion } = tokensOf(n);
  return {
    promptTokenCount: prompt,
    cachedContentTokenCount: cached,
    candidatesTokenCount: completion,
    totalTokenCount: prompt + completion,
  };
}

function usageOfChat(n: number): object {
  const { prompt, cached, completion } = tokensOf(n);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'native', stop_sequence: null };

function plainFor(path: string, n: number): object {
  if (path.endsWith('/messages'))
    return {
      ...message,
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      usage: usageA(n),
    };
  if (path.includes(':generateContent'))
    return generateResponse(['Hello'], 'STOP', { usageMetadata: usageB(n) });
  return {
    id: 'native-id',
    object: 'chat.completion',
    created: 1,
    model: 'native',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    usage: usageOfChat(n),
  };
}

/** The pieces of a stream: a first one with text, then the rest. */
function wordsFor(path: string, n: number): string[] {
  if (path.endsWith('/messages')) {
    const started = { ...message, content: [], stop_reason: null, usage: { ...usageA(n), output_tokens: 1 } };
    return [
      messageEvent('message_start', { message: started }) +
        messageEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
        blockDelta(0, { type: 'text_delta', text: 'Hel' }),
      blockDelta(0, { type: 'text_delta', text: 'lo' }),
      messageEvent('content_block_stop', { index: 0 }),
      messageEvent('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: usageA(n),
      }),
      messageEvent('message_stop'),
    ];
  }
  if (path.includes(':streamGenerateContent'))
    return [
      generateEvent(generateResponse(['Hel'], null, { usageMetadata: undefined })),
      generateEvent(generateResponse(['lo'], 'STOP', { usageMetadata: usageB(n) })),
    ];
  return [
    delta({ role: 'assistant', content: 'Hel' }),
    delta({ content: 'lo' }),
    delta({}, 'stop'),
    `data: ${JSON.stringify({ choices: [], usage: usageOfChat(n) })}\n\n`,
    'data: [DONE]\n\n',
  ];
}

function sendFile(response: ServerResponse, seen: SeenRequest, bytes: Buffer, sightings: Sightings): void {
  const { gateway, rest } = splitPath(seen.path);
  response.once('finish', () => sightings.upstreamEnded(Number(rest.split('/').at(-1)), gateway));
  void file(bytes)(response, seen);
}

/** Lets each job be done when it was asked after a few times, with a file and a length of its own. */
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

/** What both dialects say of a job that is done: each reads its own members. */
function doneRecord(url: string, seconds: number): Record<string, unknown> {
  return {
    status: 'SUCCESS',
    output: [{ url, type: 'video/mp4', duration_seconds: seconds }],
    results: [{ url, kind: 'audio', durationSec: seconds }],
  };
}
