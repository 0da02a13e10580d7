import { describe, expect, it } from 'vitest';
import { cut, type FakeUpstream, json, type Reply } from '../../testing/fake-upstream.ts';
import { MESSAGE_START, message, messageEvent } from '../../testing/messages-upstream.ts';
import { user } from '../../testing/request-parts.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachTest } from '../../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});

const request = { model: 'beta-large-4-5', messages: [user] };
const error = (status: number, type: string, text = 'CANARY'): Reply =>
  json(status, { type: 'error', error: { type, message: text }, request_id: 'req_CANARY' });

describe('a failure of the messages upstream', () => {
  /** What the upstream always answers; the code that the caller sees; how many calls it takes; the param. */
  const FAILURES: readonly [name: string, reply: Reply, code: string, calls: number, param?: string][] = [
    ['busy', error(429, 'rate_limit_error'), 'channel_queue_full', 2],
    ['overloaded', error(529, 'overloaded_error'), 'channel_queue_full', 2],
    ['broken', error(500, 'api_error'), 'upstream_error', 2],
    ['late', error(504, 'timeout_error'), 'upstream_timeout', 2],
    ['a wrong credential', error(401, 'authentication_error'), 'upstream_error', 1],
    ['an empty purse', error(400, 'invalid_request_error', 'credit balance too low'), 'channel_outage', 1],
    [
      'a prompt too long',
      error(400, 'invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum'),
      'context_too_long',
      1,
      'messages',
    ],
    [
      'a complaint',
      error(400, 'invalid_request_error', 'messages.0.content: CANARY'),
      'invalid_param',
      1,
      'messages',
    ],
    ['a complaint about nothing', error(400, 'invalid_request_error'), 'upstream_error', 1],
    ['too large', error(413, 'request_too_large'), 'invalid_param', 1, 'messages'],
    ['a refusal', message([], { stop_reason: 'refusal' }), 'content_filter', 1],
    ['an error inside a 200', error(200, 'overloaded_error'), 'channel_queue_full', 2],
    ['HTML', json(502, '<html>CANARY</html>', { 'content-type': 'text/html' }), 'upstream_error', 2],
    ['a cut connection', cut, 'upstream_error', 2],
    ['another dialect', json(200, { choices: [] }), 'upstream_error', 1],
  ];

  it.for(FAILURES)('%s is answered in our words', async ([, reply, code, calls, param]) => {
    upstream.fallback = reply;
    const answer = await gateway.chat(request);
    expect(answer.json.error).toMatchObject({ code, channel: 'ch-beta', param: param ?? null });
    expect(JSON.stringify([answer.text, answer.headers, gateway.logLines])).not.toContain('CANARY');
    expect(upstream.seen).toHaveLength(calls);
    expect(gateway.records).toMatchObject([{ outcome: code, attempts: calls, usage_known: false }]);
  });

  it.for([
    ...FAILURES.filter(([name]) => name !== 'a refusal'),
    ['an overload first', errorFirst('overloaded_error'), 'channel_queue_full', 2] as const,
    ['a context error first', errorFirst('invalid_request_error'), 'context_too_long', 1] as const,
  ])('%s before the first piece of a stream is a plain HTTP error', async ([, reply, code, calls]) => {
    upstream.fallback = reply;
    const answer = await gateway.chat({ ...request, stream: true });
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json.error).toMatchObject({ code, channel: 'ch-beta' });
    expect(upstream.seen).toHaveLength(calls);
  });
});

function errorFirst(type: string): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      MESSAGE_START + messageEvent('error', { error: { type, message: 'prompt is too long: CANARY' } }),
    );
  };
}

it('takes two attempts on the messages dialect with the same body', async () => {
  upstream.queue.push(error(500, 'api_error'));
  upstream.fallback = message('ok');
  expect((await gateway.chat(request)).status).toBe(200);
  expect(upstream.seen[0]?.text).toBe(upstream.seen[1]?.text);
});
