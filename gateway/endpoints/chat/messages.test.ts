import { expect, it } from 'vitest';
import type { FakeUpstream } from '../../testing/fake-upstream.ts';
import { message } from '../../testing/messages-upstream.ts';
import { user } from '../../testing/request-parts.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachTest } from '../../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});

const request = { model: 'beta-large-4-5', messages: [user] };

it('an answer over the messages dialect is asked for with its credential and version, and no other', async () => {
  upstream.fallback = message('Hello');
  await gateway.chat(request);
  expect(upstream.seen[0]).toMatchObject({
    path: '/v1/messages',
    headers: {
      'x-api-key': 'upstream-secret',
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: { model: 'native-beta-large-4-5' },
  });
  expect(upstream.seen[0]?.headers).not.toHaveProperty('authorization');
});
