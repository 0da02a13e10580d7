import { describe, expect, it } from 'vitest';
import {
  completion,
  delta,
  events,
  type FakeUpstream,
  hang,
  usageFrame,
} from '../../testing/fake-upstream.ts';
import { generateEvent, response } from '../../testing/generate-content-upstream.ts';
import { blockDelta, messageStart, textBlock } from '../../testing/messages-upstream.ts';
import { type TestGateway, testKey } from '../../testing/test-gateway.ts';
import { type TwoEnds, twoEndsEachTest } from '../../testing/two-ends.ts';
import { startRead } from '../../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((started: TwoEnds) => {
  ({ upstream, gateway } = started);
});

const user = { role: 'user', content: 'hi' };

/** Sends a request; the caller leaves when `leave` is called. */
function begin(body: object): { answer: ReturnType<typeof startRead>; leave: () => void } {
  const controller = new AbortController();
  const answer = startRead(`${gateway.url}/api/v1/chat/completions`, {
    method: 'POST',
    key: testKey,
    body,
    signal: controller.signal,
  });
  answer.then(
    ({ body: rest }) => rest.on('error', () => {}),
    () => {},
  );
  return { answer, leave: () => controller.abort() };
}

/** Sends a streamed request and resolves with its first bytes. */
async function beginStream(body: object): Promise<{ first: string; leave: () => void }> {
  const { answer, leave } = begin({ ...body, stream: true });
  const { body: rest } = await answer;
  const first = await new Promise<Buffer>((resolve) => rest.once('data', resolve));
  return { first: first.toString(), leave };
}

/** The upstream has been let go, nothing is held for the caller, and nobody will wake up for the request. */
async function expectNothingLeft(known: object): Promise<void> {
  await upstream.seen[0]?.aborted;
  await expect.poll(() => gateway.records).toMatchObject([{ outcome: 'client_gone', attempts: 1, ...known }]);
  expect(upstream.seen).toHaveLength(1);
  expect(await gateway.app.slots.held('usr')).toBe(0);
  expect(gateway.clock.nextDue()).toBeNull();
}

describe.for<[model: string, begun: string[]]>([
  ['alpha-5-2', [delta({ content: 'x' }), usageFrame]],
  ['beta-large-4-5', [messageStart, ...textBlock(0, ['x'])]],
  ['gamma-3-flash', [generateEvent(response(['x']))]],
])('when the caller of %s leaves, the upstream is let go at once', ([model, begun]) => {
  const request = { model, messages: [user] };

  it.for([false, true])('before a byte of the answer has come, streamed: %j', async (stream) => {
    upstream.fallback = hang;
    const { leave } = begin({ ...request, stream });
    await upstream.waitFor(1);
    leave();
    await expectNothingLeft({ usage_known: false });
  });

  it('in the middle of a whole answer', async () => {
    const arrived = Promise.withResolvers<void>();
    upstream.fallback = (answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' });
      answer.write('{', () => arrived.resolve());
    };
    const { leave } = begin(request);
    await arrived.promise;
    leave();
    await expectNothingLeft({ usage_known: false });
  });

  it('in the middle of a stream, and what was used until then is kept', async () => {
    upstream.fallback = events(begun, 'hang');
    const { first, leave } = await beginStream(request);
    expect(first).toContain('"content":"x"');
    leave();
    await expectNothingLeft({ usage_known: true, prompt_tokens: 11n });
  });
});

describe('when the caller leaves while a stop of ours is looked for', () => {
  const request = { model: 'beta-mid-4-5', messages: [user], stop: '\n\n' };

  it('and text is held back, the upstream is let go', async () => {
    upstream.fallback = events([messageStart, ...textBlock(0, ['x\n'])], 'hang');
    const { first, leave } = await beginStream(request);
    expect(first).toContain('"content":"x"');
    leave();
    await expectNothingLeft({ prompt_tokens: 11n });
  });

  it('and nothing but held text has come, the upstream is let go', async () => {
    upstream.fallback = events([messageStart, ...textBlock(0, ['\n'])], 'hang');
    const { leave } = begin({ ...request, stream: true });
    await upstream.waitFor(1);
    leave();
    await expectNothingLeft({});
  });

  it('and only the count is waited for, the upstream is let go', async () => {
    const text = (value: string): string => blockDelta(0, { type: 'text_delta', text: value });
    upstream.fallback = events([messageStart, text('x'), text('\n\n')], 'hang');
    const { leave } = await beginStream(request);
    await expect.poll(() => gateway.clock.nextDue()).toBeLessThan(gateway.clock.now() + 2001);
    leave();
    await expectNothingLeft({ prompt_tokens: 11n });
  });
});

describe('when the caller stays and reads no more, it is cut off in the end', () => {
  const request = { model: 'alpha-5-2', messages: [user] };
  const large = 'x'.repeat(20_000_000);

  it.for([
    ['client_gone', true, events(Array(3).fill(delta({ content: large.slice(0, 8_000_000) })), 'hang')],
    ['success', false, completion(large)],
  ] as const)('its usage is on record: %s', async ([outcome, stream, reply]) => {
    upstream.fallback = reply;
    const { answer, leave } = begin({ ...request, stream });
    await answer;
    const passes = async (): Promise<unknown> => {
      await gateway.clock.advance(60_000);
      return gateway.logLines.findLast(({ msg }) => msg === 'request');
    };
    await expect.poll(passes, { timeout: 20_000 }).toMatchObject({ status: 200 });
    expect(gateway.records).toMatchObject([{ outcome, attempts: 1 }]);
    expect(gateway.clock.nextDue()).toBeNull();
    leave();
  });
});

it.for(['beta-mid-4-5', 'gamma-3-flash'])(
  'when the caller of %s leaves while its prompt is counted, nothing more is sent',
  async (model) => {
    const counting = Promise.withResolvers<void>();
    upstream.count = () => counting.resolve();
    const messages = [{ role: 'user', content: 'word '.repeat(200_000) }];
    const { leave } = begin({ model, messages, max_tokens: model.startsWith('beta') ? 20_000 : 500_000 });
    await counting.promise;
    leave();
    await upstream.counted[0]?.aborted;
    await expect.poll(() => gateway.records).toMatchObject([{ outcome: 'client_gone' }]);
    expect(upstream.seen).toHaveLength(0);
    expect(await gateway.app.slots.held('usr')).toBe(0);
    expect(gateway.clock.nextDue()).toBeNull();
  },
);
