import { describe, expect, it } from 'vitest';
import { type Answer, post } from '../testing/post.ts';
import { postChat } from '../testing/post-chat.ts';
import { modelUrl, oneContent } from '../testing/post-generate.ts';
import { postMessages } from '../testing/post-messages.ts';
import { useSimulators } from '../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });
const usage = { prompt_tokens: 100, completion_tokens: 20 };
const twoRequests = { limits: { requests_per_minute: 2 } };

/** The status, and the headers whose names contain a word. */
function told({ status, headers }: Answer, word: string): unknown[] {
  const named = Object.entries(headers).filter(([name]) => name.includes(word));
  return [status, Object.fromEntries(named)];
}

const chatWindow = (what: string, limit: number, remaining: number, reset: RegExp) => ({
  [`x-ratelimit-limit-${what}`]: String(limit),
  [`x-ratelimit-remaining-${what}`]: String(remaining),
  [`x-ratelimit-reset-${what}`]: expect.stringMatching(reset),
});

describe('limits of requests', () => {
  it('are counted by key, report the true remainder, and end after retry-after', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [twoRequests] });
    const ask = (key = 'sk-one') => postChat(simulators.base(tenant.name), {}, key);
    expect(told(await ask(), 'requests')).toEqual([200, chatWindow('requests', 2, 1, /^(30|29\.\d+)s$/)]);
    expect(told(await ask(), 'requests')).toEqual([200, chatWindow('requests', 2, 0, /^(1m0|59\.\d+)s$/)]);
    const refused = await ask();
    expect(told(refused, 'requests')).toEqual([429, chatWindow('requests', 2, 0, /^59\.\d+s$/)]);
    expect(refused.headers['retry-after']).toBe('30');
    expect(refused.text).toMatch(/Rate limit reached for requests per minute\. Try again in 29\.\d+s\./);
    expect((await ask('sk-other')).status).toBe(200);
    await simulators.control.advance(25_000);
    const again = await ask();
    expect([again.status, again.headers['retry-after']]).toEqual([429, expect.stringMatching(/^[1-5]$/)]);
    await simulators.control.advance(Number(again.headers['retry-after-ms']));
    expect((await ask()).status).toBe(200);
  });

  it('answer with the error of each dialect', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ limits: { requests_per_minute: 1 } }] });
    const base = simulators.base(tenant.name);
    const { now_ms: now } = await simulators.control.clock();
    for (const status of [200, 429]) {
      const answer = await postMessages(base, {});
      expect(told(answer, 'requests')).toMatchObject([
        status,
        { 'anthropic-ratelimit-requests-limit': '1', 'anthropic-ratelimit-requests-remaining': '0' },
      ]);
      const reset = Date.parse(String(answer.headers['anthropic-ratelimit-requests-reset']));
      expect(Math.abs(reset - now - 60_000)).toBeLessThan(5000);
    }
    const generate = () =>
      post(modelUrl(base, 'generateContent'), { contents: oneContent }, { 'x-goog-api-key': 'any' });
    expect((await generate()).status).toBe(200);
    expect((await generate()).text).toMatch(/RESOURCE_EXHAUSTED[\s\S]*"retryDelay": ?"(5\d|60)s"/);
    const image = () =>
      post(`${base}/images/generations`, { model: 'img-a', prompt: 'a' }, { authorization: 'Bearer image' });
    await image();
    expect(told(await image(), 'retry')).toEqual([429, { 'retry-after': '60' }]);
  });

  it('can come from a fault or from the phase of a scenario', async () => {
    const tenant = simulators.tenant();
    const statuses = async () => {
      const all: number[] = [];
      for (let n = 0; n < 3; n += 1) all.push((await postChat(simulators.base(tenant.name), {})).status);
      return all;
    };
    await tenant.addFault({ reply: twoRequests });
    expect(await statuses()).toEqual([200, 200, 429]);
    await tenant.reset();
    const phases = [{ faults: [{ reply: twoRequests }] }];
    await tenant.play({ scenario: { name: 'limited', channels: { '*': { phases } } } });
    expect(await statuses()).toEqual([200, 200, 429]);
    await tenant.step();
    expect(await statuses()).toEqual([200, 200, 200]);
  });
});

it.each([false, true])('token limits count the tokens of usage (stream %s)', async (stream) => {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ usage, limits: { tokens_per_minute: 60 } }] });
  const ask = () => postChat(simulators.base(tenant.name), { stream });
  expect(told(await ask(), 'tokens')).toEqual([200, chatWindow('tokens', 60, 0, /^(2m0|1m59\.\d+)s$/)]);
  const refused = await ask();
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '61']);
  expect(refused.json()).toMatchObject({ error: { type: 'tokens' } });
  await simulators.control.advance(Number(refused.headers['retry-after-ms']));
  expect((await ask()).status).toBe(200);
});
