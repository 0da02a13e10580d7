import { expect, it } from 'vitest';
import type { CheckParts } from '../engine/parts/check-parts.ts';
import type { WayName } from '../engine/way-of.ts';
import type { Finding } from '../rules/violation.ts';
import type { Exchange } from '../wire/exchange.ts';
import { withoutOutages } from './outage.ts';

const chat = (status: number, body = '{"model":"alpha"}'): Exchange =>
  ({
    label: 'a chat',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:1/api/v1/chat/completions',
      body: Buffer.from(body),
    },
    response: { status, headers: [], body: Buffer.from('{"error":{"code":"channel_outage"}}') },
  }) as unknown as Exchange;

const finding: Finding = {
  requirement: 'CHAT-012',
  aspect: 'a',
  expected: 'b',
  actual: 'c',
  exchange: chat(503),
};
const outcome = { verdict: 'fail', finding, missing: [] } as const;

/** The outcome of a check whose chat was refused, where plain chats get this answer. */
async function judged(
  plain: number,
  {
    sent = [],
    served = new Set(),
    id = 'chat.some.rule',
    requirement = 'CHAT-012',
    ...around
  }: { sent?: Exchange[]; served?: Set<WayName>; id?: string; requirement?: string; breaks?: boolean } = {},
): Promise<string> {
  const parts = {
    http: { chat: async () => chat(plain) },
    newScene: () => ({ minimal: (model: string) => ({ model, messages: [] }) }),
    target: { models: ['alpha', 'beta'] },
  } as unknown as CheckParts;
  const check = { id, needs: [] };
  const record = { violations: [], sent: [...sent, chat(503)] };
  const { verdict } = await withoutOutages(check, parts, record, {
    outcome: { ...outcome, finding: { ...finding, requirement }, missing: [] },
    served,
    ...around,
  });
  return verdict;
}

it('attributes a refused chat to the deployment when plain chats are refused too', async () => {
  expect(await judged(503)).toBe('untestable');
  expect(await judged(200)).toBe('fail');
});

it('keeps the failure when a plain chat was served earlier in the run, or any chat in the check', async () => {
  const served = new Set<WayName>();
  expect(await judged(503, { sent: [chat(200)], served })).toBe('fail');
  expect(served).toEqual(new Set(['core']));
  expect(await judged(503, { served })).toBe('fail');
  expect(await judged(503, { served: new Set(['core, stream']) })).toBe('untestable');
  const others = new Set<WayName>();
  const limited = chat(200, '{"model":"alpha","max_tokens":5}');
  expect(await judged(503, { sent: [limited], served: others })).toBe('fail');
  expect(others.size).toBe(0);
});

/** A call of compat path A with this answer. */
const native = (status: number): Exchange => {
  const exchange = chat(status, '{"model":"beta-mid-4-5","max_tokens":5,"messages":[]}');
  return {
    ...exchange,
    request: { ...exchange.request, url: 'http://127.0.0.1:1/m/x/compat-a/v1/messages' },
  };
};

it.each([
  { refused: 404, plain: 404, by: 'compa.some.rule', verdict: 'untestable' },
  { refused: 401, plain: 401, by: 'compa.some.rule', verdict: 'untestable' },
  { refused: 401, plain: 200, by: 'compa.some.rule', verdict: 'fail' },
  { refused: 400, plain: 404, by: 'compa.some.rule', verdict: 'fail' },
  { refused: 429, plain: 429, by: 'compa.some.rule', verdict: 'fail' },
  { refused: 404, plain: 404, by: 'compa.models.plain', verdict: 'fail' },
  { refused: 401, plain: 401, by: 'compa.models.plain', verdict: 'untestable' },
])('judges $by $verdict for a $refused where plain calls of the path get $plain', async (one) => {
  const finding = {
    requirement: 'COMPA-001',
    aspect: 'a',
    expected: 'b',
    actual: 'c',
    exchange: native(one.refused),
  };
  const parts = {
    http: { compatA: async () => native(one.plain) },
    newScene: () => ({ minimalA: (model: string) => ({ model, messages: [] }) }),
    target: { nativeModels: ['alpha-5-2', 'beta-mid-4-5', 'beta-large-4-5'] },
  } as unknown as CheckParts;
  const record = { violations: [], sent: [native(one.refused)] };
  const settled = { verdict: 'fail', finding, missing: [] } as const;
  const { verdict } = await withoutOutages({ id: one.by, needs: ['compat.a'] }, parts, record, {
    outcome: { ...settled, missing: [] },
    served: new Set(),
  });
  expect(verdict).toBe(one.verdict);
});

it('attributes an outage to an undeclared breaker when checks break upstreams and it still lasts', async () => {
  const served = new Set<WayName>(['core']);
  expect(await judged(503, { served, breaks: true })).toBe('untestable');
  expect(await judged(200, { served, breaks: true })).toBe('fail');
  const teller = { id: 'chat.minimal.every-model', requirement: 'CHAT-001' };
  expect(await judged(503, { ...teller, served, breaks: true })).toBe('fail');
  expect(await judged(503, { ...teller, breaks: true })).toBe('fail');
});
