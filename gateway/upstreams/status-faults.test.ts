import { describe, expect, it } from 'vitest';
import { ask } from '../testing/caller-view.ts';
import { type FakeUpstream, json, type Reply } from '../testing/fake-upstream.ts';
import { bodyReply, chatWords, everyCall, goodBody } from '../testing/native-dialects.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { twoEndsEachTest } from '../testing/two-ends.ts';

const canary = 'CANARY-8c1f';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});

const chatError = (status: number, fields: object, headers?: Record<string, string>): Reply =>
  json(status, { error: { message: canary, param: null, code: null, ...fields } }, headers);

describe.for(everyCall)('%s', ([, stream, dialect]) => {
  const asked = () => ask(gateway, dialect, stream);
  const refusedBy = async (reply: Reply, code: string, attempts: number, param: string | null = null) => {
    upstream.fallback = reply;
    expect(await asked()).toMatchObject({ seen: 'refused', code, param });
    expect(upstream.seen).toHaveLength(attempts);
    expect(gateway.records).toMatchObject([{ outcome: code, prompt_tokens: 0n, usage_known: false }]);
  };

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
    upstream.fallback = bodyReply(stream, JSON.stringify(dialect.tooLong), {
      'content-type': stream ? 'text/event-stream' : 'text/plain',
    });
    expect(await asked()).toMatchObject({ seen: 'refused', code: 'context_too_long' });
  });

  it('an error answer as an event, or one that dribbles, is judged by what there is of it', async () => {
    await refusedBy(
      json(400, dialect.event(dialect.tooLong), { 'content-type': 'text/event-stream' }),
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
    [
      { type: 'tokens', code: 'rate_limit_exceeded' },
      { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1m0.5s' },
      '61',
    ],
    [{ type: 'rate_limit_error', code: 'slow_down' }, { 'retry-after': '9' }, '9'],
    [{ message: `${canary} Please try again in 8s.`, code: 'rate_limit_exceeded' }, {}, '8'],
  ] as const)('cools for as long as %j says somewhere (H2, H3)', async ([fields, headers, seconds]) => {
    upstream.fallback = chatError(429, fields, headers);
    const { code, answer } = await ask(gateway, chatWords, false);
    expect([code, answer.headers['retry-after']]).toEqual(['channel_queue_full', seconds]);
  });
});
