import { expect, it } from 'vitest';
import type { CheckParts } from '../engine/parts/check-parts.ts';
import type { Finding } from '../rules/violation.ts';
import type { Exchange } from '../wire/exchange.ts';
import { type ChatWay, withoutOutages } from './outage.ts';

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
  { sent = [], served = new Set() }: { sent?: Exchange[]; served?: Set<ChatWay> } = {},
): Promise<string> {
  const parts = {
    http: { chat: async () => chat(plain) },
    newScene: () => ({ minimal: (model: string) => ({ model, messages: [] }) }),
    target: { models: ['alpha', 'beta'] },
  } as unknown as CheckParts;
  const check = { id: 'chat.some.rule', needs: [] };
  const record = { violations: [], sent: [...sent, chat(503)] };
  const { verdict } = await withoutOutages(check, parts, record, {
    outcome: { ...outcome, missing: [] },
    served,
  });
  return verdict;
}

it('puts a refused chat down to the deployment where plain chats are refused, too', async () => {
  expect(await judged(503)).toBe('untestable');
  expect(await judged(200)).toBe('fail');
});

it('leaves it a failure where a plain chat was served before in the run, or any by the check itself', async () => {
  const served = new Set<ChatWay>();
  expect(await judged(503, { sent: [chat(200)], served })).toBe('fail');
  expect(served).toEqual(new Set(['core']));
  expect(await judged(503, { served })).toBe('fail');
  expect(await judged(503, { served: new Set(['core, stream']) })).toBe('untestable');
  const others = new Set<ChatWay>();
  const limited = chat(200, '{"model":"alpha","max_tokens":5}');
  expect(await judged(503, { sent: [limited], served: others })).toBe('fail');
  expect(others.size).toBe(0);
});
