import { afterEach, expect, it } from 'vitest';
import { type Profile, type ProfileInput, profileSchema } from '../profile/profile.ts';
import { type FakeHook, startFakeHook } from '../testing/fake-hook.ts';
import { answeredWith } from '../testing/sample-exchange.ts';
import type { WireClient } from '../wire/client.ts';
import { pingRecords } from './ping-records.ts';

let hook: FakeHook | null = null;
afterEach(async () => {
  await hook?.close();
  hook = null;
});

const entry = { id: 'end:a', kind: 'settle', book: 'revenue', amount: '0.1', request_id: 'r-1' };
const record = {
  request_id: 'r-1',
  model_requested: 'm',
  model_served: 'm',
  outcome: 'success',
  stream: false,
  attempts: 1,
  prompt_tokens: 1,
  completion_tokens: 1,
  cached_tokens: 0,
  cache_write_5m_tokens: 0,
  cache_write_1h_tokens: 0,
  usage_known: true,
};

/** A deployment that records its only call as r-1, and answers with these headers. */
async function lostWith(
  headers: readonly (readonly [string, string])[],
  hooks: readonly ('usage' | 'ledger')[],
  http: ProfileInput['http'] = {},
): Promise<{ lost: readonly string[]; kept: Profile }> {
  let user: unknown;
  hook = await startFakeHook(({ path }) => {
    const query = new URL(path, 'http://x').searchParams;
    const isKnown =
      query.get('request_id') === 'r-1' || (user !== undefined && query.get('end_user') === user);
    if (path.includes('/ledger')) return { body: { entries: isKnown ? [entry] : [], charge: '0.1' } };
    return { body: { records: isKnown ? [{ ...record, end_user: user, metadata: null }] : [] } };
  });
  const { url } = hook;
  const profile = profileSchema.parse({
    base_url: 'http://127.0.0.1:1',
    keys: { K1: 'sk-app-1' },
    http,
    hooks: Object.fromEntries(
      hooks.map((name) => [name, { url: url.replace('/hook', `/${name}`), token: 't' }]),
    ),
  });
  const client: Pick<WireClient, 'send'> = {
    send: ({ body }) => {
      user = (body as { user?: unknown }).user;
      return Promise.resolve(answeredWith(...headers));
    },
  };
  return pingRecords(profile, client, ['alpha-5-2']);
}

it('keeps the hooks that know the id of an answer, even when a proxy has added another id', async () => {
  for (const headers of [[['x-request-id', 'r-1']], [['X-Request-Id', 'edge-9, r-1']]] as const)
    expect((await lostWith(headers, ['usage', 'ledger'])).lost).toEqual([]);
  const two = [
    ['x-request-id', 'edge-9'],
    ['x-request-id', 'r-1'],
  ] as const;
  expect((await lostWith(two, ['ledger'])).lost).toEqual([]);
});

it('queries by the header that the profile names', async () => {
  const headers = [
    ['x-request-id', 'edge-9'],
    ['x-trace', 'r-1'],
  ] as const;
  expect((await lostWith(headers, ['usage', 'ledger'], { request_id: 'X-Trace' })).lost).toEqual([]);
});

it('reports once that answers name no request, and removes the hooks that need it', async () => {
  const { lost, kept } = await lostWith([], ['usage', 'ledger']);
  expect(kept.hooks).toEqual({});
  expect(lost.map((one) => one.split(': ')[0])).toEqual(['hooks.usage', 'hooks.ledger']);
  expect(lost[0]).toContain('answers carry no x-request-id');
});

it('detects a replaced id through the usage record of the same user', async () => {
  const { lost } = await lostWith([['x-request-id', 'edge-9']], ['usage', 'ledger']);
  expect(lost[0]).toContain('the x-request-id of an answer is edge-9, and its record has r-1');
});

it('does nothing for deployments without such hooks', async () => {
  expect((await lostWith([], [])).lost).toEqual([]);
});
