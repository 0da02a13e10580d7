import { describe, expect, it } from 'vitest';
import type { FakeUpstream } from '../../testing/fake-upstream.ts';
import { bodyReply, everyCall, goodBody } from '../../testing/native-dialects.ts';
import { adminToken, type TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachTest } from '../../testing/two-ends.ts';
import { read } from '../../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});

const warnings = () => gateway.logLines.filter(({ msg }) => msg === 'unknown finish reason');
const counted = async () =>
  (await read(`${gateway.url}/metrics`, { key: adminToken })).text
    .split('\n')
    .filter((line) => line.startsWith('gatecheck_unknown_finish_reasons_total'));

describe.for(everyCall)('%s', ([, stream, dialect]) => {
  const body = goodBody(dialect, stream);
  const ask = () =>
    gateway.chat({ model: dialect.model, stream, messages: [{ role: 'user', content: 'hi' }] });

  it('maps an unknown finish reason to stop, logs it and counts it', async () => {
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
    expect(await counted()).toEqual([
      `gatecheck_unknown_finish_reasons_total{channel="${channel}",model="${model}"} 1`,
    ]);
  });

  it('logs and counts nothing for a known reason', async () => {
    upstream.fallback = bodyReply(stream, body);
    await ask();
    expect(warnings()).toEqual([]);
    expect(await counted()).toEqual([]);
  });
});
