import { describe, expect, it } from 'vitest';
import {
  completion,
  cut,
  delta,
  events,
  type FakeUpstream,
  json,
  type Reply,
} from '../testing/fake-upstream.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { twoEndsEachTest } from '../testing/two-ends.ts';

const canary = 'CANARY-8c1f';
let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});

const request = { model: 'alpha-5-2', messages: [{ role: 'user', content: 'hi' }], temperature: 1 };
const error = (fields: object): object => ({
  error: { message: canary, type: 'x', param: null, code: null, ...fields },
});
const status = (code: number, body: unknown = error({}), headers = {}): Reply =>
  json(code, body, { 'x-canary': canary, ...headers });

/** What the upstream always answers; the code the caller sees; how many calls the upstream gets. */
const failures: readonly [name: string, reply: Reply, code: string, calls: number, param?: string][] = [
  [
    'a context error',
    status(400, error({ code: 'context_length_exceeded', param: 'messages' })),
    'context_too_long',
    1,
    'messages',
  ],
  [
    'a context error in words',
    status(400, error({ message: "This model's maximum context length is 8 tokens" })),
    'context_too_long',
    1,
    'messages',
  ],
  ['a policy violation', status(400, error({ code: 'content_policy_violation' })), 'content_filter', 1],
  ['a filter', status(400, error({ code: 'content_filter' })), 'content_filter', 1],
  ['moderation', status(400, error({ code: 'moderation_blocked' })), 'content_filter', 1],
  [
    'a complaint about a field that was sent',
    status(400, error({ param: 'temperature' })),
    'invalid_param',
    1,
    'temperature',
  ],
  [
    'a complaint about a place in the messages',
    status(422, error({ param: `messages[0].${canary}` })),
    'invalid_param',
    1,
    'messages',
  ],
  ['a complaint about a field that was not sent', status(400, error({ param: 'seed' })), 'upstream_error', 1],
  ['a complaint about nothing', status(400), 'upstream_error', 1],
  ['401', status(401), 'upstream_error', 1],
  ['402', status(402), 'upstream_error', 1],
  ['403', status(403, error({ code: 'invalid_api_key' })), 'upstream_error', 1],
  ['404', status(404, error({ code: 'model_not_found' })), 'upstream_error', 1],
  ['408', status(408), 'upstream_timeout', 2],
  ['409', status(409), 'upstream_error', 2],
  ['413', status(413), 'invalid_param', 1, 'messages'],
  ['418 with junk', status(418, canary), 'upstream_error', 1],
  ['429', status(429, error({ code: 'rate_limit_exceeded', type: 'requests' })), 'channel_queue_full', 2],
  [
    'an empty purse',
    status(429, error({ code: 'insufficient_quota', type: 'insufficient_quota' })),
    'channel_outage',
    1,
  ],
  ['500', status(500), 'upstream_error', 2],
  ['502 in HTML', json(502, `<html>${canary}</html>`, { 'content-type': 'text/html' }), 'upstream_error', 2],
  ['503', status(503), 'channel_queue_full', 2],
  ['529', status(529, error({ type: 'overloaded_error' })), 'channel_queue_full', 2],
  ['a redirect', status(307, '', { location: 'http://127.0.0.1:1/' }), 'upstream_error', 1],
  ['a cut connection', cut, 'upstream_error', 2],
  ['an error inside a 200', json(200, error({ code: 'server_error' })), 'upstream_error', 2],
  ['an overload inside a 200', json(200, error({ code: 503 })), 'channel_queue_full', 2],
  ['another kind of error inside a 200', json(200, { code: 531, msg: canary }), 'upstream_error', 2],
  ['an empty 200', json(200, ''), 'upstream_error', 1],
  ['broken JSON', json(200, `{"choices":[${canary}`), 'upstream_error', 1],
  ['a JSON list', json(200, []), 'upstream_error', 1],
  ['no choices', json(200, { id: 'x', usage: {} }), 'upstream_error', 1],
  ['null choices', json(200, { choices: null }), 'upstream_error', 1],
  ['empty choices', json(200, { choices: [] }), 'upstream_error', 1],
  [
    'HTML with 200',
    json(200, `<html>${canary}</html>`, { 'content-type': 'text/html' }),
    'upstream_error',
    1,
  ],
  [
    'compressed bytes nobody asked for',
    json(200, canary, { 'content-encoding': 'gzip' }),
    'upstream_error',
    1,
  ],
  ['no message', json(200, { choices: [{ index: 0, finish_reason: 'stop' }] }), 'upstream_error', 1],
  ['content that is no text', completion(null, { message: { content: 5 } }), 'upstream_error', 1],
  ['no content at all', completion(null), 'upstream_error', 1],
  [
    'tool calls without a name',
    completion(null, { message: { tool_calls: [{ id: 'a', function: {} }] } }),
    'upstream_error',
    1,
  ],
  ['an answer that was blocked whole', completion('', { finish: 'content_filter' }), 'content_filter', 1],
  ['a refusal', completion(null, { message: { refusal: canary } }), 'content_filter', 1],
  ['giving up', completion('par', { finish: 'insufficient_system_resource' }), 'upstream_error', 2],
  ['headers of 64 KiB', json(200, {}, { 'x-large': 'x'.repeat(65_536) }), 'upstream_error', 1],
];

describe('plain', () => {
  it.for(failures)('%s is answered in our words', async ([, reply, code, calls, param]) => {
    upstream.fallback = reply;
    const answer = await gateway.chat(request);
    expect(answer.json.error).toMatchObject({ code, channel: 'ch-1', param: param ?? null });
    expect(JSON.stringify([answer.text, answer.headers, gateway.logLines])).not.toContain(canary);
    expect(upstream.seen).toHaveLength(calls);
    expect(gateway.records).toMatchObject([
      { outcome: code, attempts: calls, usage_known: false, prompt_tokens: 0n, channel_id: 'ch-1' },
    ]);
  });
});

describe('streamed, before the first piece', () => {
  const streams: (readonly [name: string, reply: Reply, code: string, calls: number])[] = [
    ...failures.slice(0, 23).map(([name, reply, code, calls]) => [name, reply, code, calls] as const),
    ['an empty stream', events([]), 'upstream_error', 1],
    ['only a role, then the end', events([delta({ role: 'assistant' })]), 'upstream_error', 1],
    ['only the marker', events(['data: [DONE]\n\n']), 'upstream_error', 1],
    ['a role, then a reset', events([delta({ role: 'assistant' })], 'reset'), 'upstream_error', 2],
    [
      'an error first',
      events([`data: ${JSON.stringify(error({ code: 'server_error' }))}\n\n`, 'data: [DONE]\n\n']),
      'upstream_error',
      2,
    ],
    [
      'an overload first',
      events([`event: error\ndata: ${JSON.stringify(error({ type: 'overloaded_error' }))}\n\n`]),
      'channel_queue_full',
      2,
    ],
    [
      'a context error first',
      events([`data: ${JSON.stringify(error({ code: 'context_length_exceeded' }))}\n\n`]),
      'context_too_long',
      1,
    ],
    ['broken JSON first', events([`data: {${canary}\n\n`]), 'upstream_error', 1],
    [
      'a block without a word',
      events([delta({ role: 'assistant', content: '' }), delta({}, 'content_filter')]),
      'content_filter',
      1,
    ],
    ['a plain error instead', json(200, error({ code: 'server_error' })), 'upstream_error', 2],
    ['HTML instead', json(200, canary, { 'content-type': 'text/html' }), 'upstream_error', 1],
  ];

  it.for(streams)('%s is a plain HTTP error', async ([, reply, code, calls]) => {
    upstream.fallback = reply;
    const answer = await gateway.chat({ ...request, stream: true });
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json.error).toMatchObject({ code, channel: 'ch-1' });
    expect(answer.text).not.toContain(canary);
    expect(upstream.seen).toHaveLength(calls);
    expect(gateway.records).toMatchObject([{ outcome: code, stream: true, attempts: calls }]);
  });
});
