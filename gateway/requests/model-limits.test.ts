import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completion, type FakeUpstream, startFakeUpstream } from '../testing/fake-upstream.ts';
import { startTestGateway, type TestGateway, testConfig } from '../testing/test-gateway.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  upstream.fallback = completion('ok');
  gateway = await startTestGateway(testConfig(upstream.url));
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const user = { role: 'user', content: 'hi' };
const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const image = (url: unknown) => ({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] });

describe('capabilities', () => {
  it.for([
    ['alpha-5-codex', PNG],
    ['alpha-codex', 'https://example.org/a.png'],
    ['delta-3', PNG],
    ['alpha-5-2', 'data:application/pdf;base64,AAAA'],
    ['alpha-5-pro', 'data:video/mp4;base64,AAAA'],
    ['alpha-5-2', 'https://example.org/a.mp4'],
  ] as const)('refuses on %s what %s carries, in any message and in streams', async ([model, url]) => {
    const messages = [user, { role: 'assistant', content: 'a' }, image(url)];
    for (const stream of [true, false]) {
      expect(await gateway.chat({ model, messages, stream })).toMatchObject({
        status: 400,
        json: {
          error: {
            type: 'invalid_request_error',
            code: 'unsupported_capability',
            param: 'messages[2].content[0]',
          },
        },
      });
    }
  });

  it('refuses a JSON schema on models that do not take it', async () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'n' } };
    const answer = await gateway.chat({ model: 'delta-3', messages: [user], response_format });
    expect(answer.json.error.code).toBe('unsupported_capability');
  });
});

describe('the context window', () => {
  it.for([
    ['alpha-5-2', 400_000],
    ['alpha-codex', 128_000],
    ['delta-3', 256_000],
  ] as const)('of %s is %i tokens', async ([model, window]) => {
    const over = await gateway.chat({ model, messages: [user], max_tokens: window + 1 });
    expect(over).toMatchObject({
      status: 400,
      json: { error: { code: 'context_too_long', param: 'max_tokens' } },
    });
    expect((await gateway.chat({ model, messages: [user], max_tokens: 0.9 * window })).status).toBe(200);
  });

  it('refuses a prompt that no tokenizer could make short enough, without asking the upstream', async () => {
    const before = upstream.seen.length;
    const content = 'a1b2c3d4 '.repeat((33 * 128_000) / 8);
    const answer = await gateway.chat({ model: 'alpha-codex', messages: [{ role: 'user', content }] });
    expect(answer.json.error).toMatchObject({ code: 'context_too_long', param: 'messages' });
    expect(upstream.seen).toHaveLength(before);
  });

  it('leaves a long run of one character to the upstream', async () => {
    const content = ' '.repeat(2_500_000) + '='.repeat(2_500_000);
    expect((await gateway.chat({ model: 'alpha-codex', messages: [{ role: 'user', content }] })).status).toBe(
      200,
    );
  });
});
