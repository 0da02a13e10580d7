import { defineCheck } from '../../engine/check.ts';
import type { HttpCalls } from '../../engine/parts/http-calls.ts';
import { judgeErrorShape } from '../../oracle/refusal.ts';
import { must } from '../../rules/violation.ts';
import { isSuccess, outcomeOf } from '../../wire/exchange.ts';
import type { RawAnswer } from '../../wire/raw-socket.ts';
import { type BrokenRequest, brokenRequests } from './broken-requests.ts';

/** The time limit for an answer to bytes that are not a request, ms. */
const timeoutMs = 8_000;

export const brokenHttpIsAnswered = defineCheck({
  id: 'err.http.broken',
  title: 'malformed HTTP gets a 4xx or a closed connection, never a 5xx, silence or a crash',
  requirements: ['ERR-002', 'ERR-001'],
  kind: 'example',
  needs: ['http.direct'],
  raw: true,
  run: async ({ target, keys, cases, http }) => {
    const host = new URL(target.profile.base_url).host;
    for (const broken of brokenRequests(host, keys.K1)) {
      cases.count();
      judge(broken, await http.raw([Buffer.from(broken.bytes, 'latin1')], timeoutMs));
      await livesOn(http, broken.label);
    }
  },
});

export const slowHeadIsEnded = defineCheck({
  id: 'err.http.slow-head',
  title: 'a request head that never ends gets a 408 or a closed connection in time',
  requirements: ['ERR-002', 'ERR-001'],
  kind: 'timing',
  needs: ['http.direct', 'http.header_timeout_ms'],
  raw: true,
  extraMs: ({ headerTimeoutMs }) => headerTimeoutMs,
  run: async ({ target, http }) => {
    const host = new URL(target.profile.base_url).host;
    const limitMs = (target.profile.http.header_timeout_ms ?? 0) + 10_000;
    const answer = await http.raw([`GET /api/v1/models HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `], limitMs);
    must(answer.closed || answer.answers.length > 0, {
      requirement: 'ERR-002',
      aspect: 'slow-head-ended',
      expected: `an end within ${limitMs} ms`,
      actual: 'the connection stays open and silent',
      exchange: answer.exchange,
    });
    const [refusal] = answer.answers;
    if (refusal !== undefined) {
      must(refusal.response?.status === 408 || refusal.response?.status === 400, {
        requirement: 'ERR-001',
        aspect: 'slow-head-status',
        expected: 'HTTP 408 (or 400)',
        actual: outcomeOf(refusal),
        exchange: refusal,
      });
      judgeErrorShape(refusal);
    }
    await livesOn(http, 'a head that never ends');
  },
});

/** Judges the answer to a broken request, after `served` answers to the sound requests before it. */
function judge({ label, served = 0, alsoStatuses = [] }: BrokenRequest, answer: RawAnswer): void {
  const last = answer.answers.at(-1);
  if (last === undefined || answer.answers.length <= served) {
    must(answer.closed, {
      requirement: 'ERR-002',
      aspect: 'broken-http-answered',
      expected: `${label}: an error answer or a closed connection within ${timeoutMs} ms`,
      actual: outcomeOf(last ?? answer.exchange),
      exchange: last ?? answer.exchange,
    });
    return;
  }
  const status = last.response?.status ?? 0;
  if (alsoStatuses.includes(status) && status < 400) return;
  must((status >= 400 && status < 500) || alsoStatuses.includes(status), {
    requirement: 'ERR-001',
    aspect: 'broken-http-4xx',
    expected: `${label}: a 4xx`,
    actual: outcomeOf(last),
    exchange: last,
  });
  judgeErrorShape(last);
}

async function livesOn(http: HttpCalls, label: string): Promise<void> {
  const exchange = await http.get('/api/v1/models', { label: `after ${label}` });
  must(isSuccess(exchange), {
    requirement: 'ERR-002',
    aspect: 'lives-on',
    expected: `a server that goes on answering after ${label}`,
    actual: outcomeOf(exchange),
    exchange,
  });
}
