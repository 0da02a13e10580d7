import { describe, expect, it } from 'vitest';
import { testChannel } from '../testing/live-channels.ts';
import { failure } from '../upstreams/outcome.ts';
import type { LiveChannel } from './live-channel.ts';

const stays = new AbortController().signal;

const busy = (retryAfterMs: number | null) => failure('busy', 'test', { retryAfterMs });

describe('calls that fail on stale connections', () => {
  const stale = { ...failure('connection', 'reset', {}), isStale: true };
  const fails = (live: LiveChannel): void => live.begin('plain')?.tracker?.failed(stale);

  it('do not count against the channel within 5 s, however many they are', async () => {
    const { live, clock } = testChannel();
    for (let call = 0; call < 20; call += 1) fails(live);
    await clock.advance(4_000);
    for (let call = 0; call < 20; call += 1) fails(live);
    expect(live.breakerState).toBe('closed');
  });

  it('count against the channel if no call succeeds for 5 s', async () => {
    const { live, clock } = testChannel();
    fails(live);
    await clock.advance(5_000);
    for (let call = 0; call < 5; call += 1) fails(live);
    expect(live.breakerState).toBe('open');
  });

  it('start a new 5 s period after each success', async () => {
    const { live, clock } = testChannel();
    fails(live);
    await clock.advance(5_000);
    live.begin('plain')?.tracker?.succeeded();
    for (let call = 0; call < 9; call += 1) fails(live);
    expect(live.breakerState).toBe('closed');
  });
});

describe('a pause requested by an upstream', () => {
  it.for([
    [1, 1_000],
    [20_000, 20_000],
    [30_000, 30_000],
  ] as const)('of %i ms lasts %i ms', async ([askedMs, coolsMs]) => {
    const { live, clock } = testChannel();
    live.begin('plain')?.tracker?.failed(busy(askedMs));
    await clock.advance(coolsMs - 100);
    expect(live.condition().kind).toBe('cooling');
    expect(live.begin('plain')).toBeNull();
    await clock.advance(100);
    expect(live.condition()).toEqual({ kind: 'free', isProbe: false });
  });

  it('needs a Retry-After', () => {
    const { live } = testChannel();
    live.begin('plain')?.tracker?.failed(busy(null));
    expect(live.condition().kind).toBe('free');
  });

  it('is not shortened by a later, shorter one', async () => {
    const { live, clock } = testChannel();
    const [first, second, third] = [1, 2, 3].map(() => live.begin('plain')?.tracker);
    first?.failed(busy(50_000));
    second?.failed(busy(2_000));
    third?.succeeded();
    await clock.advance(29_000);
    expect(live.condition().kind).toBe('cooling');
  });

  it('lets one call at a time try after 30 s, and lasts at most a minute', async () => {
    const { live, clock } = testChannel();
    live.begin('plain')?.tracker?.failed(busy(86_400_000));
    await clock.advance(30_000);
    expect(live.condition()).toEqual({ kind: 'free', isProbe: true });
    const trial = live.begin('plain')?.tracker;
    expect(live.begin('plain')).toBeNull();
    trial?.abandoned();
    const second = live.begin('plain')?.tracker;
    second?.answered();
    expect(live.condition()).toEqual({ kind: 'free', isProbe: false });
    second?.failed(busy(86_400_000));
    await clock.advance(60_000);
    expect(live.condition()).toEqual({ kind: 'free', isProbe: false });
  });

  it('also delays a probe', async () => {
    const { live, clock } = testChannel();
    for (let i = 0; i < 4; i += 1) live.begin('plain')?.tracker?.failed(busy(null));
    live.begin('plain')?.tracker?.failed(busy(45_000));
    await clock.advance(29_000);
    expect(live.condition().kind).toBe('open');
    await clock.advance(1_001);
    expect(live.condition()).toEqual({ kind: 'free', isProbe: true });
  });

  it('is independent of the wall clock, like the cool-down', async () => {
    const { live, clock } = testChannel();
    for (let i = 0; i < 5; i += 1) live.begin('plain')?.tracker?.failed(failure('server', 'test'));
    for (const byMs of [-3_600_000, 7_200_000]) {
      clock.setWall(byMs);
      expect(live.breakerState).toBe('open');
    }
    clock.setWall(-7_200_000);
    await clock.advance(30_000);
    expect(live.breakerState).toBe('half-open');
  });
});

describe('the calls of a channel', () => {
  it('count once, whatever is reported afterwards', () => {
    const { live } = testChannel({ capacity: 1 });
    for (let i = 0; i < 9; i += 1) {
      const tracker = live.begin('plain')?.tracker;
      tracker?.succeeded();
      tracker?.failed(failure('server', 'late'));
      tracker?.abandoned();
      expect([tracker?.isOver, live.inFlight]).toEqual([true, 0]);
    }
    expect(live.condition().kind).toBe('free');
  });

  it.for(['context', 'policy', 'bad_request', 'garbled', 'refused'] as const)(
    'do not count against it after failures of kind %s',
    (reason) => {
      const { live, log } = testChannel();
      for (let i = 0; i < 50; i += 1) live.begin('plain')?.tracker?.failed(failure(reason, 'test'));
      expect(log).toEqual([]);
      expect([live.condition().kind, live.health('plain', null), live.inFlight]).toEqual(['free', 'well', 0]);
    },
  );

  it.for(['timeout', 'connection', 'server', 'busy', 'unusable'] as const)(
    'open its breaker after five failures of kind %s, with one log line',
    (reason) => {
      const { live, log } = testChannel();
      for (let i = 0; i < 5; i += 1) live.begin('plain')?.tracker?.failed(failure(reason, 'RAW'));
      const why = `5 failures in a row, the last: ${reason}`;
      const names = { channel: 'a', model: 'delta-3', account: '' };
      expect(log).toEqual([{ ...names, from: 'closed', to: 'open', why }]);
    },
  );

  it.for(['credentials', 'exhausted'] as const)(
    'disable it for a cool-down after two witnesses of kind %s, which no probe has confirmed',
    async (reason) => {
      const { live, clock } = testChannel();
      for (const witness of [...Array(50).fill('acc'), 'other']) {
        expect(live.breakerState).toBe('closed');
        live.begin('plain', witness)?.tracker?.failed(failure(reason, 'test'));
      }
      await clock.advance(29_000);
      expect(live.condition().kind).toBe('open');
      await clock.advance(1_001);
      expect(live.condition()).toEqual({ kind: 'free', isProbe: true });
      live.begin('plain')?.tracker?.succeeded();
      expect([live.isProven, live.health('plain', null)]).toEqual([true, 'well']);
    },
  );
});

it('recovers when a probe streams for ten seconds, before the stream ends', async () => {
  const { live, clock, log } = testChannel();
  for (let i = 0; i < 5; i += 1) live.begin('stream')?.tracker?.failed(failure('server', 'test'));
  await clock.advance(30_000);
  const probe = live.begin('stream')?.tracker;
  probe?.answered();
  probe?.handedOver();
  probe?.asked();
  expect(live.begin('stream')).toBeNull();
  await clock.advance(10_000);
  probe?.handedOver();
  expect([live.isProven, live.inFlight]).toEqual([true, 1]);
  probe?.failed(failure('connection', 'test'));
  expect([live.isProven, live.inFlight, log.length]).toEqual([true, 0, 3]);
});

describe('a request that waits for a slot', () => {
  it('gets one when a call ends, and then counts as a call', async () => {
    const { live } = testChannel({ capacity: 1, queue_length: 1 });
    const first = live.begin('plain')?.tracker;
    expect(live.takesWaiting()).toBe(true);
    const waiting = live.beginInQueue('plain', stays);
    expect(live.takesWaiting()).toBe(false);
    first?.succeeded();
    const second = (await waiting)?.tracker;
    expect([second?.isOver, live.inFlight]).toEqual([false, 1]);
    second?.abandoned();
    expect(live.inFlight).toBe(0);
  });

  it('is dismissed at once when the channel fails', async () => {
    const { live, clock } = testChannel({ capacity: 5, queue_length: 1 });
    const trials = Array.from({ length: 5 }, () => live.begin('plain')?.tracker);
    const waiting = live.beginInQueue('plain', stays);
    for (const tracker of trials) tracker?.failed(failure('timeout', 'test'));
    // One of the five calls freed a slot before the last one opened the breaker.
    const late = await waiting;
    late?.tracker.abandoned();
    expect([live.condition().kind, live.inFlight]).toEqual(['open', 0]);
    expect(clock.nextDue()).toBeNull();
  });

  it('is dismissed at once when the upstream requests a pause', async () => {
    const { live, clock } = testChannel({ capacity: 1, queue_length: 1 });
    const tracker = live.begin('plain')?.tracker;
    const waiting = live.beginInQueue('plain', stays);
    tracker?.failed(busy(20_000));
    expect(await waiting).toBeNull();
    expect([live.inFlight, clock.nextDue()]).toEqual([0, null]);
  });
});

it('sends no prompt counts for a while after a slow failed one', async () => {
  const { live, clock } = testChannel();
  live.countedInVain(40);
  expect(live.countsPrompts).toBe(true);
  live.countedInVain(5_000);
  expect(live.countsPrompts).toBe(false);
  await clock.advance(30_000);
  expect(live.countsPrompts).toBe(true);
  for (let i = 0; i < 5; i += 1) live.begin('plain')?.tracker?.failed(failure('server', 'test'));
  await clock.advance(31_000);
  expect(live.countsPrompts).toBe(false);
});
