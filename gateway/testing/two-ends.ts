import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Config } from '../config.ts';
import { events, type FakeUpstream, type StreamEnd, startFakeUpstream } from './fake-upstream.ts';
import { startTestGateway, type TestGateway, testConfig } from './test-gateway.ts';
import { type Answer, parseEvents } from './wire.ts';

/** A gateway and the upstream behind it. */
export interface TwoEnds {
  readonly upstream: FakeUpstream;
  readonly gateway: TestGateway;
}

/** Starts both before each test of the file, with changes to the configuration, and ends them after each test. */
export function twoEndsEachTest(hand: (ends: TwoEnds) => void, changes: Record<string, unknown> = {}): void {
  beforeEach(async () => {
    const ends = await startBoth(changes);
    hand(ends);
    return () => stop(ends);
  });
}

/**
 * Starts the upstream once for the file, and a new gateway before each test. So no test depends on channel state of an
 * earlier one. The upstream's record of requests is cleared before each test.
 */
export function twoEndsEachFile(hand: (ends: TwoEnds) => void): void {
  let upstream: FakeUpstream;
  beforeAll(async () => {
    upstream = await startFakeUpstream();
  });
  beforeEach(async () => {
    upstream.seen.length = 0;
    upstream.counted.length = 0;
    const gateway = await startTestGateway(testConfig(upstream.url));
    hand({ upstream, gateway });
    return () => gateway.close();
  });
  afterAll(() => upstream.close());
}

/**
 * Starts both once for the file, with changes to the configuration, and ends them after it. `start` makes a gateway, such as
 * one with its books in a database; the file goes on once `hand` has returned.
 */
export function twoEndsOfFile<G extends TestGateway>(
  start: (config: Config) => Promise<G>,
  changes: Record<string, unknown>,
  hand: (ends: { readonly upstream: FakeUpstream; readonly gateway: G }) => unknown,
): void {
  beforeAll(async () => {
    const upstream = await startFakeUpstream();
    const gateway = await start(testConfig(upstream.url, changes));
    await hand({ upstream, gateway });
    return () => stop({ upstream, gateway });
  });
}

/** The gateway's answer to a request while the upstream streams these pieces. */
export async function readStream(
  { upstream, gateway }: TwoEnds,
  request: object,
  pieces: readonly (string | Uint8Array)[],
  end: StreamEnd = 'fin',
): Promise<{ answer: Answer } & ReturnType<typeof parseEvents>> {
  upstream.fallback = events(pieces, end);
  const answer = await gateway.chat(request);
  return { answer, ...parseEvents(answer.text) };
}

async function startBoth(changes: Record<string, unknown> = {}): Promise<TwoEnds> {
  const upstream = await startFakeUpstream();
  return { upstream, gateway: await startTestGateway(testConfig(upstream.url, changes)) };
}

async function stop({ upstream, gateway }: TwoEnds): Promise<void> {
  await gateway.close();
  await upstream.close();
}
