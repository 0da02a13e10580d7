import { expect, it } from 'vitest';
import { callOf } from '../../oracle/exchange/call.ts';
import { answeredByCode } from '../../testing/sample-exchange.ts';
import type { Spent } from './call-due.ts';
import { tokenFindings, tokenUse } from './quota-use.ts';

/** A chat call at a time, whose upstream counted ten tokens. */
function chatAt(sentAt: number): Omit<Spent, 'payers'> {
  const body = Buffer.from(JSON.stringify({ model: 'alpha-5-2', messages: [] }));
  const url = 'http://127.0.0.1:1/api/v1/chat/completions';
  const exchange = {
    ...answeredByCode(200),
    sentAt,
    endedAt: sentAt,
    request: { method: 'POST', url, headers: [], body },
  };
  const call = callOf(exchange);
  if (call === null) throw new Error('a chat is a call');
  const said = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'So.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  };
  const attempt = {
    ...{
      channel: 'a',
      path: '/v1/chat/completions',
      body,
      isWhole: true,
      status: 200,
      sends: [],
      credential: '',
    },
    ...{ ended: 'complete' as const, received: { min: sentAt, max: sentAt } },
    answer: Buffer.from(JSON.stringify(said)),
  };
  return { exchange, call, attempts: [attempt], end: null };
}

const monthAt = (ms: number): string => (ms < 100 ? '2026-11' : '2026-12');
const view = { balance: 0n, tokensUsed: 1, monthlyTokens: null };

it('demands the tokens of the running month, and allows those of the last', () => {
  const use = tokenUse([chatAt(50), chatAt(150)], monthAt, 200);
  expect([use.least, use.most]).toEqual([10, 20]);
  expect(tokenFindings(use, 10, view)).toEqual([]);
  expect(tokenFindings(use, 9, view).map(({ aspect }) => aspect)).toEqual(['no-fewer-tokens']);
  expect(tokenFindings(use, 21, view).map(({ aspect }) => aspect)).toEqual(['tokens-of-the-calls']);
});

it('demands none where a deployment counts only against a quota', () => {
  const use = tokenUse([chatAt(150)], monthAt, 200);
  expect(tokenFindings(use, 0, { ...view, tokensUsed: 0 })).toEqual([]);
  expect(tokenFindings(use, 0, { ...view, tokensUsed: 0, monthlyTokens: 5 })).toHaveLength(1);
});
