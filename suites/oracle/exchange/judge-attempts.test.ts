import { expect, it } from 'vitest';
import { answeredByCode } from '../../testing/sample-exchange.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { type Attempt, credentialIn } from './attempt.ts';
import { callOf } from './call.ts';
import { judgeAttempts } from './judge-attempts.ts';
import { judgedBy } from './judge-exchange.ts';
import { requestFaults } from './judge-requests.ts';

function chat(fields: object, sample: Exchange, authorization: string): Exchange {
  const body = Buffer.from(JSON.stringify({ model: 'alpha-5-2', messages: [], ...fields }));
  const url = 'http://127.0.0.1:1/api/v1/chat/completions';
  return { ...sample, request: { method: 'POST', url, headers: [['authorization', authorization]], body } };
}

/** The rules that a 401 breaks whose upstream was shown this credential. */
function findingsOf(credential: string, status = 401): string[] {
  const exchange = chat({}, answeredByCode(401, 'invalid_api_key'), 'Bearer sk-app-of-the-caller');
  const call = callOf(exchange);
  if (call === null) throw new Error('a chat is a call');
  const attempt: Attempt = {
    ...{ channel: 'a', path: '/v1/chat/completions', body: exchange.request.body, credential },
    ...{ isWhole: true, received: { min: 0, max: 0 }, status, answer: Buffer.alloc(0) },
    ...{ ended: 'complete', sends: [] },
  };
  const judged = judgedBy('attempts', true, () =>
    judgeAttempts({
      exchange,
      call,
      attempts: [attempt],
      isSeen: true,
      begunMs: null,
      channelIds: new Map(),
    }),
  );
  return judged.findings.map(({ requirement }) => requirement);
}

it('blames a refused account on a gateway that has one of its own', () => {
  expect(findingsOf('a-key-of-the-upstream')).toEqual(['ERR-010']);
  expect(findingsOf('a-key-of-the-upstream', 403)).toEqual(['ERR-010']);
  expect(findingsOf('sk-app-of-the-caller')).toEqual([]);
  expect(findingsOf('')).toEqual([]);
});

it.each([
  [[['Authorization', 'Bearer a']], '/v1', 'a'],
  [[['x-api-key', 'b']], '/v1', 'b'],
  [[], '/v1beta/models/m:generateContent?key=c', 'c'],
  [[['authorization', 'Bearer ']], '/v1', ''],
] as const)('reads a credential: %j %s', (headers, url, credential) => {
  expect(credentialIn(headers, url)).toBe(credential);
});

it.each([
  [{ temperature: 2 }, { temperature: 1 }, ['forwards-temperature']],
  [{ temperature: 2.01 }, { temperature: 2 }, []],
  [{ top_p: -0.1 }, { top_p: 0 }, []],
  [{ max_tokens: -1 }, { max_tokens: 1 }, []],
  [{ max_tokens: 9 }, { max_tokens: 1 }, ['forwards-max-tokens']],
])('demands legal numbers at the upstream, and no others: %j', (sent, seen, aspects) => {
  const messages = [{ role: 'user', content: 'Hello' }];
  const exchange = chat({ messages, ...sent }, answeredByCode(200), 'Bearer k');
  const call = callOf(exchange);
  if (call === null) throw new Error('a chat is a call');
  const text = JSON.stringify({ model: 'm', messages, ...seen });
  const faults = requestFaults(exchange, call, { path: '/v1/chat/completions', text });
  expect(faults.map(({ aspect }) => aspect)).toEqual(aspects);
});
