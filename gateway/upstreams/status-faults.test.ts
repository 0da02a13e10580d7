import { describe, expect, it } from 'vitest';
import { ask } from '../testing/caller-view.ts';
import { type FakeUpstream, json, type Reply } from '../testing/fake-upstream.ts';
import { generateError } from '../testing/generate-content-upstream.ts';
import {
  bodyReply,
  CHAT_WORDS,
  EVERY_CALL,
  errorReply,
  GENERATE_WORDS,
  goodBody,
} from '../testing/native-dialects.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { twoEndsEachTest } from '../testing/two-ends.ts';

const CANARY = 'CANARY-8c1f';
const PAGE = `<html><body>${CANARY}</body></html>`;

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});

const chatError = (status: number, fields: object, headers?: Record<string, string>): Reply =>
  json(status, { error: { message: CANARY, param: null, code: null, ...fields } }, headers);
const page = (status: number): Reply => json(status, PAGE, { 'content-type': 'text/html; charset=utf-8' });
describe.for(EVERY_CALL)('%s', ([, stream, dialect]) => {
  const asked = () => ask(gateway, dialect, stream);
  const refusedBy = async (reply: Reply, code: string, attempts: number, param: string | null = null) => {
    upstream.fallback = reply;
    expect(await asked()).toMatchObject({ seen: 'refused', code, param });
    expect(upstream.seen).toHaveLength(attempts);
    expect(gateway.records).toMatchObject([{ outcome: code, prompt_tokens: 0n, usage_known: false }]);
  };

  it('a failure of the upstream itself is asked twice, then an upstream error (H6)', () =>
    refusedBy(errorReply(dialect, 'server'), 'upstream_error', 2));

  it('an overload, or a limit without a wait, is a full queue after two (H7, H8, H9, H5)', async () => {
    await refusedBy(errorReply(dialect, 'overloaded'), 'channel_queue_full', 2);
    gateway.records.length = 0;
    upstream.seen.length = 0;
    await refusedBy(errorReply(dialect, 'rate'), 'channel_queue_full', 2);
  });

  it('a limit with a wait is a full queue that names it, and is left alone for it (H1, H5)', async () => {
    upstream.fallback = errorReply(dialect, 'rate', { 'retry-after': '17' });
    const { code, answer } = await asked();
    expect(code).toBe('channel_queue_full');
    expect(answer.headers['retry-after']).toBe('17');
    expect(upstream.seen).toHaveLength(1);
  });

  it.for([502, 503, 504])('a %i in HTML is an upstream error of which nothing is shown (H12)', (status) =>
    refusedBy(page(status), 'upstream_error', 2),
  );

  it.for([401, 402, 403, 404])('a %i is an upstream error, and not asked again (H13, H15)', (status) =>
    refusedBy(json(status, { error: { message: CANARY } }), 'upstream_error', 1),
  );

  it('a request too large for the upstream is the caller’s, whoever says so (H14)', async () => {
    await refusedBy(page(413), 'invalid_param', 1, 'messages');
  });

  it('a prompt too long is the caller’s (H16)', () =>
    refusedBy(errorReply(dialect, 'context'), 'context_too_long', 1, 'messages'));

  it('a complaint is the caller’s when it names a field that was sent (H17)', () =>
    refusedBy(errorReply(dialect, 'field'), 'invalid_param', 1, 'temperature'));

  it.for([
    [408, 'upstream_timeout'],
    [504, 'upstream_timeout'],
    [409, 'upstream_error'],
    [425, 'upstream_error'],
  ] as const)('a %i might go by, and is an %s after two (H19)', ([status, code]) =>
    refusedBy(json(status, { detail: CANARY }), code, 2),
  );

  it.for([
    ['no byte', ''],
    ['blanks', ' \r\n\t'],
    ['a page', PAGE],
  ] as const)('a 200 of %s is an upstream error (H20)', ([, body]) =>
    refusedBy(bodyReply(stream, body), 'upstream_error', 1),
  );

  it('an error inside of a 200 counts as what it says (H21)', async () => {
    const { body } = dialect.error('context');
    await refusedBy(json(200, body), 'context_too_long', 1, 'messages');
    upstream.fallback = json(200, { code: 531, msg: CANARY });
    expect(await asked()).toMatchObject({ seen: 'refused', code: 'upstream_error' });
  });

  it('a body is what it is, not what it is called or was asked to be (H22)', async () => {
    for (const [isStream, label] of [
      [stream, stream ? 'application/json' : 'text/event-stream'],
      [!stream, stream ? 'application/json' : 'text/event-stream'],
      [!stream, stream ? 'text/event-stream' : 'application/json'],
      [stream, 'text/html'],
    ] as const) {
      upstream.fallback = bodyReply(isStream, goodBody(dialect, isStream), { 'content-type': label });
      const { seen, text, finish, usage } = await asked();
      expect({ seen, text, finish }).toEqual({ seen: 'served', text: 'Hello', finish: 'stop' });
      expect(usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7 });
    }
    upstream.fallback = bodyReply(stream, JSON.stringify(dialect.error('context').body), {
      'content-type': stream ? 'text/event-stream' : 'text/plain',
    });
    expect(await asked()).toMatchObject({ seen: 'refused', code: 'context_too_long' });
  });

  it('an error answer as an event, or one that dribbles, is judged by what there is of it', async () => {
    const { status, body } = dialect.error('context');
    await refusedBy(
      json(status, dialect.event(body), { 'content-type': 'text/event-stream' }),
      'context_too_long',
      1,
      'messages',
    );
    upstream.fallback = (response) => {
      response.writeHead(429, { 'content-type': 'application/json' });
      response.write('{"error":');
    };
    const answer = asked();
    for (const count of [2, 3]) {
      await upstream.waitFor(count);
      await gateway.clock.sleep(30);
      await gateway.clock.advance(11_000);
    }
    expect(await answer).toMatchObject({ code: 'channel_queue_full' });
  });
});

describe('one dialect', () => {
  it.for([
    'insufficient_quota',
    'credit_balance_exhausted',
    'project_spend_limit_exceeded',
    'organization_spend_limit_exceeded',
    'organization_usage_limit_exceeded',
  ])('takes %s for an outage that no retry mends, and never for the caller’s quota (H4)', async (code) => {
    upstream.fallback = chatError(429, { type: 'insufficient_quota', code });
    expect(await ask(gateway, CHAT_WORDS, false)).toMatchObject({ code: 'channel_outage' });
    expect(upstream.seen).toHaveLength(1);
  });

  it.for([
    [
      { type: 'tokens', code: 'rate_limit_exceeded' },
      { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1m0.5s' },
      '61',
    ],
    [{ type: 'rate_limit_error', code: 'slow_down' }, { 'retry-after': '9' }, '9'],
    [{ message: `${CANARY} Please try again in 8s.`, code: 'rate_limit_exceeded' }, {}, '8'],
  ] as const)('cools for as long as %j says somewhere (H2, H3)', async ([fields, headers, seconds]) => {
    upstream.fallback = chatError(429, fields, headers);
    const { code, answer } = await ask(gateway, CHAT_WORDS, false);
    expect([code, answer.headers['retry-after']]).toEqual(['channel_queue_full', seconds]);
  });

  it.for([
    ['content_policy_violation', 400],
    ['moderation_blocked', 400],
    ['content_filter', 400],
    ['content_policy_violation', 403],
  ] as const)('takes %s with %i for the policy (H18)', async ([code, status]) => {
    upstream.fallback = chatError(status, { code });
    expect(await ask(gateway, CHAT_WORDS, true)).toMatchObject({ code: 'content_filter' });
    upstream.fallback = chatError(400, { innererror: { code: 'ResponsibleAIPolicyViolation' } });
    expect(await ask(gateway, CHAT_WORDS, true)).toMatchObject({ code: 'content_filter' });
    expect(upstream.seen).toHaveLength(2);
  });

  it.for([
    ['PerMinute', 'channel_queue_full', '39', false],
    ['PerMinute', 'channel_queue_full', '39', true],
    ['PerDay', 'channel_outage', undefined, false],
    ['PerDay', 'channel_outage', undefined, true],
  ] as const)('takes a quota %s for %s (H10, H11)', async ([quota, code, seconds, isInArray]) => {
    const body = generateError(429, 'RESOURCE_EXHAUSTED', `${CANARY} Please retry in 38.922534355s.`, [
      {
        '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
        violations: [{ quotaId: `Requests${quota}PerProject` }],
      },
    ]);
    upstream.fallback = json(429, isInArray ? [body] : body);
    const { code: seen, answer } = await ask(gateway, GENERATE_WORDS, false);
    expect(seen).toBe(code);
    expect(upstream.seen).toHaveLength(1);
    if (seconds !== undefined) expect(answer.headers['retry-after']).toBe(seconds);
  });
});
