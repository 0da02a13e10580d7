import { describe, expect, it } from 'vitest';
import {
  completion,
  delta,
  events,
  type FakeUpstream,
  hang,
  type Reply,
  usageFrame,
} from '../../testing/fake-upstream.ts';
import { generated, generateEvent, response } from '../../testing/generate-content-upstream.ts';
import { blockDelta, message, messageEnd, messageStart, textBlock } from '../../testing/messages-upstream.ts';
import { type TestGateway, testKey } from '../../testing/test-gateway.ts';
import { type TwoEnds, twoEndsEachTest } from '../../testing/two-ends.ts';
import { parseEvents, startLeavable } from '../../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((started: TwoEnds) => {
  ({ upstream, gateway } = started);
});

const user = { role: 'user', content: 'hi' };
const done = 'data: [DONE]\n\n';

/** Sends a request; the caller leaves when `leave` is called. */
function begin(body: object): ReturnType<typeof startLeavable> {
  return startLeavable(`${gateway.url}/api/v1/chat/completions`, { method: 'POST', key: testKey, body });
}

/** Sends a streamed request and resolves with its first bytes. */
async function beginStream(body: object): Promise<{ first: string; leave: () => void }> {
  const { answer, leave } = begin({ ...body, stream: true });
  const { body: rest } = await answer;
  const first = await new Promise<Buffer>((resolve) => rest.once('data', resolve));
  return { first: first.toString(), leave };
}

/** Expects a record of the upstream call, no slot held for the caller, and no pending timer. */
async function expectRecord(known: object): Promise<void> {
  await expect.poll(() => gateway.records).toMatchObject([{ outcome: 'client_gone', attempts: 1, ...known }]);
  expect(upstream.seen).toHaveLength(1);
  expect(await gateway.app.slots.held('usr')).toBe(0);
  expect(gateway.clock.nextDue()).toBeNull();
}

/** Expects a free slot while the upstream call still runs. */
async function expectFreeSlot(): Promise<void> {
  await expect.poll(() => gateway.app.slots.held('usr')).toBe(0);
  expect(gateway.records).toEqual([]);
}

/** An answer whose second part is sent when `go` is called. */
function held(begun: readonly string[], rest: readonly string[]): { reply: Reply; go: () => void } {
  const going = Promise.withResolvers<void>();
  const reply: Reply = async (answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of begun) answer.write(piece);
    await going.promise;
    for (const piece of rest) answer.write(piece);
    answer.end();
  };
  return { reply, go: () => going.resolve() };
}

/** For each dialect: a model, the start of a stream, its rest, and a whole answer. */
const dialects: readonly [model: string, begun: string[], rest: string[], whole: Reply][] = [
  ['alpha-5-2', [delta({ content: 'x' })], [delta({}, 'stop'), usageFrame, done], completion('x')],
  ['beta-large-4-5', [messageStart, ...textBlock(0, ['x'])], messageEnd(), message('x')],
  [
    'gamma-3-flash',
    [generateEvent(response(['x']))],
    [generateEvent(response([], 'STOP'))],
    generated(['x']),
  ],
];
const counted = { prompt_tokens: 11n, completion_tokens: 7n };

describe.for(dialects)('when the caller of %s leaves', ([model, begun, rest, whole]) => {
  const request = { model, messages: [user] };

  it('the gateway reads the stream to its end and charges the counts of the upstream', async () => {
    const { reply, go } = held(begun, rest);
    upstream.fallback = reply;
    const { leave } = await beginStream(request);
    leave();
    await expectFreeSlot();
    go();
    await expectRecord(counted);
  });

  it('the gateway awaits the whole answer and charges it', async () => {
    const going = Promise.withResolvers<void>();
    upstream.fallback = async (...answer) => {
      await going.promise;
      await whole(...answer);
    };
    const { leave } = begin(request);
    await upstream.waitFor(1);
    leave();
    await expectFreeSlot();
    going.resolve();
    await expectRecord(counted);
  });

  it.for([false, true])('the gateway cuts off a silent upstream, streamed: %j', async (stream) => {
    upstream.fallback = hang;
    const { leave } = begin({ ...request, stream });
    await upstream.waitFor(1);
    leave();
    await expectFreeSlot();
    await gateway.clock.advance(20_000);
    await upstream.seen[0]?.aborted;
    await expectRecord({ usage_known: false, charge_pico: 0n });
  });

  it('the gateway cuts off a long stream and estimates the tokens forwarded', async () => {
    upstream.fallback = events(begun, 'hang');
    const { leave } = await beginStream({ ...request, messages: [{ ...user, content: 'word '.repeat(80) }] });
    leave();
    await expectFreeSlot();
    await gateway.clock.advance(19_000);
    expect(gateway.records).toEqual([]);
    await gateway.clock.advance(1_000);
    await upstream.seen[0]?.aborted;
    // Two dialects have counted the prompt at the beginning, and one the answer so far.
    await expectRecord({ prompt_tokens: model.startsWith('alpha') ? 100n : 11n, usage_known: true });
    expect(gateway.records[0]?.completion_tokens).toBeGreaterThan(0n);
  });

  it('a stream that breaks off after that is estimated as well', async () => {
    const { reply, go } = held(begun, []);
    upstream.fallback = reply;
    const { leave } = await beginStream(request);
    leave();
    await expectFreeSlot();
    go();
    await expectRecord({ usage_known: true });
    expect(gateway.records[0]?.completion_tokens).toBeGreaterThan(0n);
  });
});

describe('what was passed on of a stream that its upstream ends early is estimated', () => {
  const request = { model: 'alpha-5-2', messages: [user], stream: true };
  const doubts = { price: { doubts: ['estimated'] } };

  it('where the answer itself is what it refuses to go on with', async () => {
    const refusal = `data: ${JSON.stringify({ error: { code: 'content_filter' } })}\n\n`;
    upstream.fallback = events([delta({ content: 'x'.repeat(40) }), refusal]);
    expect((await gateway.chat(request)).text).toContain('content_filter');
    expect(gateway.records).toMatchObject([{ outcome: 'content_filter', completion_tokens: 10n, ...doubts }]);
  });

  it('with the reasoning that its caller was not shown', async () => {
    const thought = delta({ reasoning_content: 'y'.repeat(400) });
    const refusal = `data: ${JSON.stringify({ error: { code: 'content_filter' } })}\n\n`;
    upstream.fallback = events([thought, delta({ content: 'x'.repeat(40) }), refusal]);
    await gateway.chat(request);
    expect(gateway.records).toMatchObject([{ completion_tokens: 110n, ...doubts }]);
  });

  it('where it is longer than the limits of the gateway allow', async () => {
    const pieces = Array.from({ length: 34 }, () => delta({ content: 'x'.repeat(1_000_000) }));
    upstream.fallback = events(pieces, 'hang');
    expect((await gateway.chat(request)).text).toContain('upstream_error');
    expect(gateway.records).toMatchObject([{ outcome: 'upstream_error', ...doubts }]);
    expect(gateway.records[0]?.completion_tokens).toBeGreaterThan(8_000_000n);
  });

  it('where it takes longer than the limits of the gateway allow', async () => {
    let more = (): void => {};
    upstream.fallback = (answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      more = () => answer.write(delta({ content: 'x'.repeat(40) }));
      more();
    };
    const { body } = await begin(request).answer;
    for await (const _piece of body) {
      await gateway.clock.advance(25_000);
      more();
    }
    await expect.poll(() => gateway.records).toMatchObject([{ outcome: 'upstream_timeout', ...doubts }]);
    expect(gateway.records[0]?.completion_tokens).toBeGreaterThan(200n);
  });

  it.for([
    [6_000, { completion_tokens: 2_000_000n, ...doubts }],
    [4_000, { charge_pico: 0n, usage_known: false }],
  ] as const)('where its caller has kept it waiting, for %d ms', async ([waitMs, known]) => {
    upstream.fallback = events([delta({ content: 'x'.repeat(8_000_000) })]);
    const { body } = await begin(request).answer;
    await gateway.clock.advance(waitMs);
    for await (const _piece of body);
    await expect.poll(() => gateway.records).toMatchObject([{ outcome: 'upstream_error', ...known }]);
  });
});

it('at most three calls of a user go on without their caller; others are cut off and estimated', async () => {
  upstream.fallback = events([delta({ content: 'x'.repeat(40) })], 'hang');
  const request = { model: 'alpha-5-2', messages: [user] };
  for (let n = 0; n < 4; n += 1) {
    (await beginStream(request)).leave();
    await expect.poll(() => gateway.app.slots.held('usr')).toBe(0);
  }
  await expect
    .poll(() => gateway.records)
    .toMatchObject([{ outcome: 'client_gone', completion_tokens: 10n, price: { doubts: ['estimated'] } }]);
  await gateway.clock.advance(20_000);
  await expect.poll(() => gateway.records.length).toBe(4);
});

it('a call is cut off when its caller leaves a process that is ending', async () => {
  const [live] = gateway.app.channels.serving('alpha-5-2', ['acc']);
  expect(live?.facts.room.capacity).toBeNull();
  gateway.app.abandoned.close();
  upstream.fallback = events([delta({ content: 'x' })], 'hang');
  const { leave } = await beginStream({ model: 'alpha-5-2', messages: [user] });
  leave();
  // A process that ends does not wait for abandoned calls.
  await expectRecord({ completion_tokens: 1n });
});

describe('an answer that the gateway cuts at a stop sequence', () => {
  const request = { model: 'beta-mid-4-5', messages: [user], stop: '\n\n', stream: true };
  const text = (value: string): string => blockDelta(0, { type: 'text_delta', text: value });

  it('is charged by the upstream counts if they come soon', async () => {
    upstream.fallback = events([messageStart, text('x\n\n'), text('filler'), ...messageEnd()]);
    expect((await gateway.chat(request)).status).toBe(200);
    expect(gateway.records).toMatchObject([{ outcome: 'success', ...counted }]);
  });

  it('is charged by an estimate otherwise, which its usage shows', async () => {
    upstream.fallback = events([messageStart, text('word '.repeat(40)), text('\n\n')], 'hang');
    const answer = gateway.chat(request);
    await upstream.waitFor(1);
    await expect.poll(() => gateway.clock.nextDue()).toBeLessThan(gateway.clock.now() + 2_500);
    await gateway.clock.advance(2_000);
    const { chunks } = parseEvents((await answer).text);
    expect(chunks.at(-1).usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 50 });
    expect(gateway.records).toMatchObject([
      { outcome: 'success', completion_tokens: 50n, price: { doubts: ['estimated'] } },
    ]);
  });

  it('is read to its end when the caller leaves while text is held back', async () => {
    const { reply, go } = held([messageStart, ...textBlock(0, ['x\n'])], messageEnd());
    upstream.fallback = reply;
    const { leave } = await beginStream(request);
    leave();
    await expectFreeSlot();
    go();
    await expectRecord(counted);
  });
});

describe('when the caller stays connected but stops reading, its connection is cut', () => {
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
  'sends no request when the caller of %s leaves while its prompt is counted',
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
