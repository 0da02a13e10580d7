import { describe, expect, it } from 'vitest';
import type { FakeUpstream } from '../../testing/fake-upstream.ts';
import { bodyReply, everyCall, goodBody } from '../../testing/native-dialects.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachTest } from '../../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});

const warnings = () => gateway.logLines.filter(({ msg }) => msg === 'unknown finish reason');

describe.for(everyCall)('%s', ([, stream, dialect]) => {
  const body = goodBody(dialect, stream);
  const ask = () =>
    gateway.chat({ model: dialect.model, stream, messages: [{ role: 'user', content: 'hi' }] });

  it('ends as a regular answer for a reason that nobody knows, and the log has the reason', async () => {
    const odd = 'o'.repeat(100);
    const ended = body.replaceAll(/"(?:finish_reason|stop_reason|finishReason)":"\w+"/g, (reason) =>
      reason.replace(/"\w+"$/, `"${odd}"`),
    );
    expect(ended).not.toBe(body);
    upstream.fallback = bodyReply(stream, ended);
    const { status, text, headers } = await ask();
    expect(status).toBe(200);
    expect(text).toContain('"finish_reason":"stop"');
    expect(text).not.toContain(odd);
    const request_id = headers['x-request-id'];
    const [channel, model] = [dialect.channel, dialect.model];
    expect(warnings()).toMatchObject([
      { level: 40, request_id, channel, model, finish_reason: 'o'.repeat(64) },
    ]);
  });

  it('leaves no such line for a reason that is known', async () => {
    upstream.fallback = bodyReply(stream, body);
    await ask();
    expect(warnings()).toEqual([]);
  });
});
