import { expect, test } from 'vitest';
import type { JournalEntry, JournalQuery } from '../../simulators/control/client.ts';
import { Scene, type UpstreamScope } from './scene.ts';

const entry = (n: number, path: string, waiting: string | null = null): JournalEntry => ({
  n,
  lane: 'default',
  channel: 'beta',
  received_at_ms: 0,
  request: {
    method: 'POST',
    path,
    headers: [],
    body_base64: Buffer.from('{"model":"m"}').toString('base64'),
    complete: true,
  },
  reply: {
    script: null,
    status: 200,
    waiting_at: waiting,
    sends: [],
    body_base64: '',
    ended: waiting === null ? 'complete' : 'open',
    ended_at_ms: null,
  },
});

const counting = '/default/beta/v1/messages/count_tokens';
const chat = '/default/beta/v1/messages';

/** A journal into which the entries come one by one; a query that waits for more than there ever is runs out of time. */
function journalOf(entries: readonly JournalEntry[]): { scope: UpstreamScope; asked: JournalQuery[] } {
  const asked: JournalQuery[] = [];
  const journal = async (query: JournalQuery): Promise<object> => {
    asked.push(query);
    const wanted = query.requests ?? query.ended ?? query.waiting ?? entries.length;
    return { satisfied: wanted <= entries.length, entries: entries.slice(0, wanted), dropped: 0 };
  };
  return { scope: { journal } as unknown as UpstreamScope, asked };
}

const sceneOf = (scope: UpstreamScope): Scene => new Scene('gc1', scope, new AbortController().signal);

test('a call that only counts tokens is no request of a scene, and one more is waited for', async () => {
  const { scope, asked } = journalOf([entry(1, counting), entry(2, chat)]);
  const scene = sceneOf(scope);
  expect((await scene.requests(1)).map((request) => request.entry.n)).toEqual([2]);
  expect(asked.map((query) => query.requests)).toEqual([1, 2]);
  expect((await scene.requestsNow()).map((request) => request.entry.n)).toEqual([2]);
  expect((await scene.countingCalls()).map((request) => request.entry.n)).toEqual([1]);
});

test('when the time is up there are the requests that came', async () => {
  const { scope } = journalOf([entry(1, counting), entry(2, chat)]);
  expect(await sceneOf(scope).requests(2)).toHaveLength(1);
});

test('only requests that are no counting calls count as ended', async () => {
  expect(await sceneOf(journalOf([entry(1, counting)]).scope).ended(1)).toBe(false);
  expect(await sceneOf(journalOf([entry(1, counting), entry(2, chat)]).scope).ended(1)).toBe(true);
});
