import { describe, expect, it } from 'vitest';
import { testChannels } from '../testing/live-channels.ts';
import { failure } from '../upstreams/outcome.ts';
import { choose, waitInQueue } from './choose.ts';
import type { LiveChannel } from './live-channel.ts';
import { minWaitMs, noChannel } from './refusal.ts';

const hour = 3_600_000;

/** Starts calls that fail at once. */
function fail(live: LiveChannel | undefined, reason: 'server' | 'credentials' | 'busy', times = 1): void {
  for (let i = 0; i < times; i += 1) {
    const retryAfterMs = reason === 'busy' ? 20_000 : null;
    live?.begin('plain')?.tracker?.failed(failure(reason, 'test', { retryAfterMs }));
  }
}

function chosen(
  all: readonly LiveChannel[],
  { random = 0, previous = null }: { random?: number; previous?: LiveChannel | null } = {},
): string | null {
  return choose(all, { kind: 'plain', random: () => random, previous })?.channel.id ?? null;
}

it('a request without a free channel waits at the lowest priority in the shortest queue, and gets the next free slot', async () => {
  const room = { capacity: 1, queue_length: 2 };
  const { all } = testChannels([{ ...room, priority: 1 }, room, room]);
  const [first, second] = all.map((live) => live.begin('plain')?.tracker).slice(1);
  const leaving = new AbortController();
  const waiting = Array.from({ length: 5 }, () => waitInQueue(all, 'plain', leaving.signal, ''));
  expect(all.map((live) => live.waiting)).toEqual([1, 2, 2]);
  second?.succeeded();
  expect((await waiting[1])?.live.channel.id).toBe('c');
  first?.succeeded();
  expect((await waiting[0])?.live.channel.id).toBe('b');
  leaving.abort();
  expect((await Promise.all(waiting.slice(2))).every((none) => none === null)).toBe(true);
});

describe('the choice of a channel', () => {
  it('takes the lowest priority number, whatever the weights', () => {
    const { all } = testChannels([{ priority: 5, weight: 100 }, { priority: 1 }, { priority: 2 }]);
    for (const random of [0, 0.5, 0.999]) expect(chosen(all, { random })).toBe('b');
  });

  it('draws by weight among equal channels', () => {
    const { all } = testChannels([{ weight: 1 }, { weight: 3 }, { weight: 4 }]);
    const drawn = Array.from({ length: 800 }, (_, i) => chosen(all, { random: i / 800 }));
    expect(drawn.filter((id) => id === 'a')).toHaveLength(100);
    expect(drawn.filter((id) => id === 'b')).toHaveLength(300);
    expect(drawn.filter((id) => id === 'c')).toHaveLength(400);
  });

  it('prefers healthy channels of a priority, and stays at that priority even if all of them fail', async () => {
    const { all, clock } = testChannels([{}, {}, { priority: 1 }]);
    fail(all[0], 'server');
    expect(chosen(all)).toBe('b');
    fail(all[1], 'server');
    expect(chosen(all)).toBe('a');
    await clock.advance(hour);
    expect(chosen(all)).toBe('a');
  });

  it('prefers fast channels', async () => {
    const { all, clock } = testChannels([{}, {}]);
    for (const [i, waitMs] of [4000, 200].entries()) {
      for (let n = 0; n < 3; n += 1) {
        const tracker = all[i]?.begin('plain')?.tracker;
        await clock.advance(waitMs);
        tracker?.answered();
        tracker?.succeeded();
      }
    }
    expect(chosen(all)).toBe('b');
    await clock.advance(hour);
    expect(chosen(all)).toBe('a');
  });

  it('never takes an open, cooling or full channel', () => {
    const { all } = testChannels([{}, {}, { capacity: 1 }, { priority: 9 }]);
    fail(all[0], 'server', 5);
    fail(all[1], 'busy');
    all[2]?.begin('plain');
    expect(chosen(all)).toBe('d');
    expect(chosen(all.slice(0, 3))).toBeNull();
  });

  it('probes a cooled-down channel first, but only once and not for a second attempt', async () => {
    const { all, clock } = testChannels([{}, {}]);
    fail(all[1], 'server', 5);
    await clock.advance(29_000);
    expect(chosen(all)).toBe('a');
    await clock.advance(1_001);
    expect(chosen(all)).toBe('b');
    expect(chosen(all, { previous: all[0] ?? null })).toBe('b');
    const third = testChannels([{}, {}, { priority: 9 }]);
    fail(third.all[1], 'server', 5);
    await third.clock.advance(30_001);
    expect(chosen(third.all, { previous: third.all[0] ?? null })).toBe('c');
    all[1]?.begin('plain');
    expect(chosen(all)).toBe('a');
  });

  it('takes another channel for a second attempt, and the same one only if there is no other', () => {
    const { all } = testChannels([{}, { priority: 7 }]);
    expect(chosen(all, { previous: all[0] ?? null })).toBe('b');
    fail(all[1], 'server', 5);
    expect(chosen(all, { previous: all[0] ?? null })).toBe('a');
    fail(all[0], 'server', 5);
    expect(chosen(all, { previous: all[0] ?? null })).toBeNull();
  });
});

describe('the error when no channel accepts a call', () => {
  const refusal = (all: readonly LiveChannel[]): [string, number | null] => {
    const { code, retryAfterS, channel } = noChannel(all, '');
    expect(channel).toBeNull();
    return [code, retryAfterS];
  };

  it('is an outage if all breakers are open, until the first one admits a probe', async () => {
    const { all, clock } = testChannels([{}, {}], { cool_down_ms: [40_000, 60_000] });
    fail(all[0], 'server', 5);
    await clock.advance(9_000);
    fail(all[1], 'server', 5);
    expect(refusal(all)).toEqual(['channel_outage', 31]);
    await clock.advance(30_001);
    expect(refusal(all)).toEqual(['channel_outage', 1]);
  });

  it('is an outage with a wait of at most a minute if the accounts are refused', () => {
    const { all } = testChannels([{}], { cool_down_ms: [300_000] });
    for (const account of ['acc', 'other'])
      all[0]?.begin('plain', account)?.tracker.failed(failure('credentials', 'test'));
    expect(refusal(all)).toEqual(['channel_outage', 60]);
    expect(minWaitMs(all, '')).toBeGreaterThan(290_000);
  });

  it('is an outage while the only probe is in flight', async () => {
    const { all, clock } = testChannels([{}]);
    fail(all[0], 'server', 5);
    await clock.advance(30_001);
    all[0]?.begin('plain');
    expect(refusal(all)).toEqual(['channel_outage', 1]);
  });

  it('is a full queue if a healthy channel only requested a pause', async () => {
    const { all, clock } = testChannels([{}, {}]);
    fail(all[0], 'busy');
    fail(all[1], 'server', 5);
    expect(refusal(all)).toEqual(['channel_queue_full', 20]);
    await clock.advance(5_500);
    expect(refusal(all)).toEqual(['channel_queue_full', 15]);
  });

  it('is a full queue with a wait of a second if only capacity is missing', () => {
    const { all } = testChannels([{ capacity: 1 }]);
    all[0]?.begin('plain');
    expect(refusal(all)).toEqual(['channel_queue_full', 1]);
  });
});
