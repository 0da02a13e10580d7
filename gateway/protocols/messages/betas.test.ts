import { expect, it } from 'vitest';
import type { FakeUpstream } from '../../testing/fake-upstream.ts';
import { messagesHead, messagesRequest, postMessages } from '../../testing/messages-caller.ts';
import { message } from '../../testing/messages-upstream.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachFile } from '../../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((started) => {
  ({ upstream, gateway } = started);
  upstream.fallback = message('Hello');
});

const ask = (betas: string, more: object = {}) =>
  postMessages(gateway, { ...messagesRequest, ...more }, { ...messagesHead, 'anthropic-beta': betas });

it('sends the beta names of a request to the upstream and to its token count', async () => {
  // Long enough that the upstream counts its tokens.
  const messages = [{ role: 'user', content: 'words '.repeat(100_000) }];
  await ask('output-128k-2025-02-19, other-1.0,', { messages });
  const sent = { 'anthropic-beta': 'output-128k-2025-02-19,other-1.0', 'anthropic-version': '2023-06-01' };
  expect(upstream.seen[0]?.headers).toMatchObject(sent);
  expect(upstream.counted[0]?.headers).toMatchObject(sent);
});

it('sends no beta header if the request names no betas', async () => {
  await postMessages(gateway, messagesRequest);
  await ask(' , ');
  expect(upstream.seen).toHaveLength(2);
  for (const { headers } of upstream.seen) expect(headers).not.toHaveProperty('anthropic-beta');
});

it.for(['a b', 'a;b', '"a"', 'x'.repeat(101), Array.from({ length: 33 }, (_, i) => `b-${i}`).join()])(
  'a header that is no list of names is refused: %s',
  async (betas) => {
    expect(await ask(betas)).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_param', param: 'anthropic-beta' } },
    });
    expect(upstream.seen).toHaveLength(0);
  },
);
