import type { JournalEntry, SimulatorControl } from 'gatecheck-simulators/client';
import { expect, it } from 'vitest';
import type { TestKey } from '../../engine/test-accounts.ts';
import { profileSchema } from '../../profile/profile.ts';
import { answeredByCode } from '../../testing/sample-exchange.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { CheckWatch, type WatchFacts } from './check-watch.ts';

const made = 'sk-app-made';

/** A deployment whose accounts nobody can read. */
const profile = profileSchema.parse({
  base_url: 'http://127.0.0.1:1',
  keys: { K1: 'sk-app-1' },
  hooks: { balance: { url: 'http://127.0.0.1:1/balance' } },
  pricing: { models: {} },
  tenants: [{ name: 'one', keys: { K1: 'sk-app-1' } }],
});

const mark = '[gc0123456789ab]';

function chatBy(key: string, more: object = {}): Exchange {
  const sample = answeredByCode(200);
  const body = Buffer.from(
    JSON.stringify({ model: 'alpha-5-2', messages: [{ role: 'user', content: mark }], ...more }),
  );
  const url = 'http://127.0.0.1:1/api/v1/chat/completions';
  return { ...sample, request: { method: 'POST', url, headers: [['authorization', `Bearer ${key}`]], body } };
}

const facts: WatchFacts = {
  profile,
  clock: { timeAt: (ms: number) => ({ min: ms, max: ms }), realAt: (ms: number) => ({ min: ms, max: ms }) },
  tenants: [
    { name: 'one', channels: {}, keys: profile.keys, webhooks: { watchedSoFar: null, secret: null } },
  ],
  simulators: null,
  conceal: (text: string) => text,
  signal: new AbortController().signal,
  mayAsk: () => true,
  madeKey: () => undefined,
};

it('keeps what exchanges show when an account cannot be read at the end', async () => {
  const account = { paidIn: 1n };
  const key = { id: '1', secret: made, user: 'u', cap: 3, isPlain: true, markups: [], account } as TestKey;
  const watch = new CheckWatch({
    ...facts,
    madeKey: (secret: string) => (secret === made ? key : undefined),
  });
  await watch.begin();
  watch.saw(chatBy(made));
  const { judged } = await watch.conclude();
  expect(judged.filter(({ findings }) => findings.length > 0).map(({ row }) => row)).toContain('chat');
});

/** The attempt of a call with the marks of `chatBy`, at this time of the simulators' clock. */
function attemptAt(atMs: number, temperature: number): JournalEntry {
  const body = { model: 'a', temperature, messages: [{ role: 'user', content: mark }] };
  const request = { method: 'POST', path: '/v1/chat/completions', headers: [], complete: true };
  return {
    ...{ channel: 'a', received_at_ms: atMs },
    request: { ...request, body_base64: Buffer.from(JSON.stringify(body)).toString('base64') },
    reply: { status: 200, ended: 'complete', sends: [], body_base64: '' },
  } as unknown as JournalEntry;
}

it('links calls to their attempts although another check reads the shared clock meanwhile', async () => {
  let aheadMs = 0;
  const shown = (ms: number) => ({ min: ms + aheadMs, max: ms + aheadMs });
  const real = (ms: number) => ({ min: ms - aheadMs, max: ms - aheadMs });
  const startMs = Date.now() - 1_000;
  const simulators = {
    clock: async () => ({ now_ms: Date.now(), next_due_ms: null }),
    tenant: () => ({
      journal: async () => {
        aheadMs = 20;
        return { dropped: 0, entries: [attemptAt(startMs + 30, 0), attemptAt(startMs + 60, 1)] };
      },
    }),
  } as unknown as SimulatorControl;
  const watch = new CheckWatch({ ...facts, clock: { timeAt: shown, realAt: real }, simulators });
  await watch.begin();
  for (const temperature of [0, 1]) {
    const sentAt = startMs + temperature * 52;
    watch.saw({ ...chatBy('sk-app-1', { temperature }), sentAt, endedAt: sentAt + 50 });
  }
  const { judged } = await watch.conclude();
  const rules = judged.flatMap(({ findings }) => findings.map(({ aspect }) => aspect));
  expect(rules).not.toContain('forwards-temperature');
});
