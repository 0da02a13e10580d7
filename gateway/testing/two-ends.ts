import { afterAll, beforeAll, beforeEach } from 'vitest';
import { events, type FakeUpstream, type StreamEnd, startFakeUpstream } from './fake-upstream.ts';
import { startTestGateway, type TestGateway, testConfig } from './test-gateway.ts';
import { type Answer, parseEvents } from './wire.ts';

/** A gateway and the upstream behind it. */
export interface TwoEnds {
  readonly upstream: FakeUpstream;
  readonly gateway: TestGateway;
}

/** Starts both before each test of the file, and ends them after it. */
export function twoEndsEachTest(hand: (ends: TwoEnds) => void): void {
  beforeEach(async () => {
    const ends = await start();
    hand(ends);
    return () => stop(ends);
  });
}

/** Starts both once for the file. What the upstream has seen and what is recorded begin anew with each test. */
export function twoEndsEachFile(hand: (ends: TwoEnds) => void): void {
  let ends: TwoEnds;
  beforeAll(async () => {
    ends = await start();
    hand(ends);
  });
  beforeEach(() => {
    ends.upstream.seen.length = 0;
    ends.upstream.counted.length = 0;
    ends.gateway.records.length = 0;
  });
  afterAll(() => stop(ends));
}

/** What a request is answered with while the upstream streams these pieces. */
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

async function start(): Promise<TwoEnds> {
  const upstream = await startFakeUpstream();
  return { upstream, gateway: await startTestGateway(testConfig(upstream.url)) };
}

async function stop({ upstream, gateway }: TwoEnds): Promise<void> {
  await gateway.close();
  await upstream.close();
}
