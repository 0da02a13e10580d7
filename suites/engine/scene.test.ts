import type { JournalEntry, JournalQuery } from 'gatecheck-simulators/client';
import { expect, test } from 'vitest';
import { Scene, type TenantUpstream } from './scene.ts';

const entry = (n: number, path: string, waiting: string | null = null, method = 'POST'): JournalEntry => ({
  n,
  tenant: 'default',
  channel: 'beta',
  received_at_ms: 0,
  request: {
    method,
    path,
    headers: [],
    body_base64: Buffer.from('{"model":"m"}').toString('base64'),
    complete: true,
  },
  reply: {
    script: null,
    status: 200,
    headers: [],
    waiting_at: waiting,
    sends: [],
    body_base64: '',
    ended: waiting === null ? 'complete' : 'open',
    ended_at_ms: null,
  },
});

const counting = '/default/beta/v1/messages/count_tokens';
const chat = '/default/beta/v1/messages';

/** A journal that receives the entries one by one; a query for more entries than these runs out of time. */
function journalOf(entries: readonly JournalEntry[]): {
  tenantUpstream: TenantUpstream;
  asked: JournalQuery[];
} {
  const asked: JournalQuery[] = [];
  const journal = async (query: JournalQuery): Promise<object> => {
    asked.push(query);
    const wanted = query.requests ?? query.ended ?? query.waiting ?? entries.length;
    return { satisfied: wanted <= entries.length, entries: entries.slice(0, wanted), dropped: 0 };
  };
  return { tenantUpstream: { journal } as unknown as TenantUpstream, asked };
}

const sceneOf = (tenantUpstream: TenantUpstream): Scene =>
  new Scene('gc1', tenantUpstream, new AbortController().signal);

test('skips token-counting calls among the requests of a scene, and waits for one more', async () => {
  const { tenantUpstream, asked } = journalOf([entry(1, counting), entry(2, chat)]);
  const scene = sceneOf(tenantUpstream);
  expect((await scene.requests(1)).map((request) => request.entry.n)).toEqual([2]);
  expect(asked.map((query) => query.requests)).toEqual([1, 2]);
  expect((await scene.requestsNow()).map((request) => request.entry.n)).toEqual([2]);
  expect((await scene.countingCalls()).map((request) => request.entry.n)).toEqual([1]);
});

test('skips token-counting calls among ended requests', async () => {
  expect(await sceneOf(journalOf([entry(1, counting)]).tenantUpstream).ended(1)).toBe(false);
  expect(await sceneOf(journalOf([entry(1, counting), entry(2, chat)]).tenantUpstream).ended(1)).toBe(true);
});

test('skips polls of a job and reads of its files among requests', async () => {
  const poll = entry(1, '/default/video/v1/jobs/job_1', null, 'GET');
  const { tenantUpstream } = journalOf([poll, entry(2, '/default/video/v1/jobs')]);
  expect((await sceneOf(tenantUpstream).requests(1)).map((request) => request.entry.n)).toEqual([2]);
});

test('builds media URLs with the marker, or takes those of the profile for real upstreams', () => {
  const { tenantUpstream } = journalOf([]);
  expect(sceneOf(tenantUpstream).mediaUrl('video')).toBe('https://media.example.com/gc1/sea.mp4');
  expect(sceneOf(tenantUpstream).mediaUrl('image', 2)).toBe('https://media.example.com/gc1/sea-2.png');
  const media = {
    image_urls: ['https://a.example/1.png', 'https://a.example/2.png'],
    video_urls: [],
    audio_urls: [],
    style_ids: [],
    voice_ids: [],
    origins: {},
  };
  const real = new Scene('gc1', null, new AbortController().signal, undefined, media);
  expect([0, 1, 2].map((place) => real.mediaUrl('image', place).at(-5))).toEqual(['1', '2', '1']);
  expect(() => real.mediaUrl('audio')).toThrow('media.audio_urls');
});
