import { describe, expect, it } from 'vitest';
import { testChannel } from '../testing/live-channels.ts';
import { failure } from '../upstreams/outcome.ts';
import type { LiveChannel } from './live-channel.ts';
import { witnessOf } from './witness.ts';

const busy = (retryAfterMs: number) => failure('busy', 'test', { retryAfterMs });

describe('what the calls of one account cause', () => {
  const fails = (live: LiveChannel, by: string, reason: 'server' | 'timeout' = 'server'): void =>
    live.begin('plain', by)?.tracker?.failed(failure(reason, 'test'));
  const conditions = (live: LiveChannel): string[] =>
    ['acc', 'other', 'third'].map((by) => live.condition(by).kind);

  it('keeps it alone from the channel, until its own probe is answered', async () => {
    const { live, clock } = testChannel();
    for (let i = 0; i < 5; i += 1) fails(live, 'acc', 'timeout');
    expect(conditions(live)).toEqual(['open', 'free', 'free']);
    expect([live.begin('plain', 'acc'), live.breakerState]).toEqual([null, 'open']);
    live.begin('plain', 'other')?.tracker.succeeded();
    await clock.advance(30_000);
    expect(live.condition('acc')).toEqual({ kind: 'free', isProbe: true });
    fails(live, 'acc');
    await clock.advance(59_000);
    expect(conditions(live)).toEqual(['open', 'free', 'free']);
    await clock.advance(1_000);
    live.begin('plain', 'acc')?.tracker.succeeded();
    for (let i = 0; i < 4; i += 1) fails(live, 'acc');
    expect([...conditions(live), live.breakerState]).toEqual(['free', 'free', 'free', 'closed']);
  });

  it.each([[['other', 'other']], [['other', 'third']]])(
    'keeps all from it once two calls of others fail too, with no success between: %j',
    ([one, two]) => {
      const { live } = testChannel();
      for (let i = 0; i < 5; i += 1) fails(live, 'acc');
      fails(live, one ?? '');
      expect(conditions(live)).toEqual(['open', 'free', 'free']);
      live.begin('plain', 'third')?.tracker.succeeded();
      for (let i = 0; i < 5; i += 1) fails(live, 'fourth');
      fails(live, one ?? '');
      fails(live, two ?? '');
      expect(conditions(live)).toEqual(['open', 'open', 'open']);
    },
  );

  it('keeps all from it after five failures in a row, two of them of others', () => {
    const { live } = testChannel();
    for (const by of ['acc', 'other', 'acc', 'third']) fails(live, by);
    expect(conditions(live)).toEqual(['free', 'free', 'free']);
    fails(live, 'acc');
    expect(conditions(live)).toEqual(['open', 'open', 'open']);
  });

  it('does not keep all from it by one failure of another among few calls', () => {
    const { live } = testChannel();
    for (let i = 0; i < 5; i += 1) {
      fails(live, 'acc');
      if (i === 2) fails(live, 'other');
      if (i % 2 === 0) live.begin('plain', 'acc')?.tracker.succeeded();
    }
    fails(live, 'acc');
    expect(conditions(live)).toEqual(['open', 'free', 'free']);
  });

  it('counts alone where it is half of all, and with the failures of others where those are', () => {
    const { live } = testChannel();
    for (let i = 0; i < 12; i += 1) {
      fails(live, 'acc');
      if (i === 3) fails(live, 'other');
      live.begin('plain', 'other')?.tracker.succeeded();
    }
    expect(conditions(live)).toEqual(['open', 'free', 'free']);
    for (let i = 0; i < 30; i += 1) {
      fails(live, i % 2 === 0 ? 'other' : 'third');
      if (i % 3 === 0) live.begin('plain', 'other')?.tracker.succeeded();
    }
    expect(conditions(live)).toEqual(['open', 'open', 'open']);
  });

  /** A channel whose breaker has opened for all, and whose cool-down is over. */
  const atProbe = async (): Promise<ReturnType<typeof testChannel>> => {
    const channel = testChannel();
    for (const by of ['acc', 'other', 'third', 'acc', 'other']) fails(channel.live, by);
    expect(conditions(channel.live)).toEqual(['open', 'open', 'open']);
    await channel.clock.advance(30_000);
    return channel;
  };

  it.each(['server', 'timeout'] as const)(
    'does not keep all from it by a failed probe: %s',
    async (reason) => {
      const { live, clock } = await atProbe();
      for (let i = 0; i < 20; i += 1) {
        fails(live, 'acc', reason);
        expect(conditions(live)).toEqual(['open', 'free', 'free']);
        await clock.advance(60_000);
      }
      live.begin('plain', 'other')?.tracker.succeeded();
      expect([...conditions(live), live.isProven]).toEqual(['free', 'free', 'free', true]);
    },
  );

  it('does not keep all from it by what its probe shows of the account at the upstream', async () => {
    const { live } = await atProbe();
    live.begin('plain', 'acc')?.tracker.failed(failure('credentials', 'test'));
    expect(conditions(live)).toEqual(['free', 'free', 'free']);
    live.begin('plain', 'other')?.tracker.failed(failure('credentials', 'test'));
    expect(conditions(live)).toEqual(['open', 'open', 'open']);
  });

  it('keeps all from it again once the probes of two have failed, and none of them longer than the others', async () => {
    const { live, clock } = await atProbe();
    for (const by of ['acc', 'other']) fails(live, by);
    expect(conditions(live)).toEqual(['open', 'open', 'open']);
    await clock.advance(60_000);
    live.begin('plain', 'acc')?.tracker.succeeded();
    const both = [live.begin('plain', 'acc'), live.begin('plain', 'acc')];
    expect(both).not.toContain(null);
  });

  it('prolongs no pause of all', async () => {
    const { live, clock } = testChannel();
    for (const by of ['acc', 'other']) live.begin('plain', by)?.tracker.failed(busy(60_000));
    expect(conditions(live)).toEqual(['cooling', 'cooling', 'cooling']);
    await clock.advance(30_000);
    live.begin('plain', 'acc')?.tracker.failed(busy(60_000));
    expect(conditions(live)).toEqual(['cooling', 'free', 'free']);
  });

  it('is a pause of its own, and that of all once another one is asked for it as well', () => {
    const { live } = testChannel();
    live.begin('plain', 'acc')?.tracker.failed(busy(20_000));
    expect(conditions(live)).toEqual(['cooling', 'free', 'free']);
    live.begin('plain', 'other')?.tracker.failed(busy(20_000));
    expect(conditions(live)).toEqual(['cooling', 'cooling', 'cooling']);
  });

  it('is remembered for no account whose gate is open again', async () => {
    const { live, clock } = testChannel();
    for (let i = 0; i < 5; i += 1) fails(live, 'acc');
    await clock.advance(30_000);
    live.begin('plain', 'other')?.tracker.succeeded();
    live.begin('plain', 'other')?.tracker.failed(busy(2_000));
    expect(live.condition('acc')).toEqual({ kind: 'free', isProbe: false });
  });
});

describe('what the calls of one user cause', () => {
  const [ann, bob, cy] = ['ann', 'bob', 'cy'].map((userId) => witnessOf({ accountId: 'acc', userId }));
  const all = [ann ?? '', bob ?? '', cy ?? ''];
  const eve = witnessOf({ accountId: 'other', userId: 'eve' });
  const fails = (live: LiveChannel, by = '', reason: 'server' | 'busy' = 'server', retryAfterMs = 0): void =>
    live
      .begin('plain', by)
      ?.tracker?.failed(failure(reason, 'test', reason === 'busy' ? { retryAfterMs } : {}));
  const conditions = (live: LiveChannel, by = [...all, eve]): string[] =>
    by.map((one) => live.condition(one).kind);

  it('keeps it alone from the channel', async () => {
    const { live, clock, log } = testChannel();
    for (let i = 0; i < 5; i += 1) fails(live, ann);
    expect(conditions(live)).toEqual(['open', 'free', 'free', 'free']);
    expect(log.at(-1)).toMatchObject({ account: 'acc', user: 'ann' });
    await clock.advance(30_000);
    fails(live, ann);
    expect(conditions(live)).toEqual(['open', 'free', 'free', 'free']);
    await clock.advance(60_000);
    live.begin('plain', ann)?.tracker.succeeded();
    expect([...conditions(live), live.breakerState]).toEqual(['free', 'free', 'free', 'free', 'closed']);
  });

  it('keeps its account from the channel once two calls of its colleagues fail too', () => {
    const { live } = testChannel();
    for (const by of [ann, bob, ann, cy, ann]) fails(live, by);
    expect(conditions(live)).toEqual(['open', 'open', 'open', 'free']);
    expect(live.isProven).toBe(true);
  });

  it('keeps all from a private channel', () => {
    for (const [reason, kind] of [['server', 'open'] as const, ['busy', 'cooling'] as const]) {
      const { live } = testChannel({ account: 'acc' });
      for (let i = 0; i < 5; i += 1) fails(live, ann, reason, 9_000);
      expect(conditions(live, all)).toEqual([kind, kind, kind]);
    }
  });

  it('leaves the probe of its account to a colleague, and that of all to another account', async () => {
    const { live, clock } = testChannel();
    for (const by of [ann, bob, ann, cy, ann]) fails(live, by);
    await clock.advance(30_000);
    fails(live, ann);
    expect(conditions(live)).toEqual(['open', 'free', 'free', 'free']);
    fails(live, bob);
    expect(conditions(live)).toEqual(['open', 'open', 'open', 'free']);
    await clock.advance(60_000);
    live.begin('plain', cy)?.tracker.succeeded();
    expect(conditions(live)).toEqual(['free', 'free', 'free', 'free']);
  });

  it('keeps nobody else out with several failed probes of its account', async () => {
    const { live, clock } = testChannel();
    for (const by of [ann, eve, bob, eve, ann]) fails(live, by);
    expect(conditions(live)).toEqual(['open', 'open', 'open', 'open']);
    await clock.advance(30_000);
    for (const by of [ann, bob]) fails(live, by);
    expect(conditions(live)).toEqual(['open', 'open', 'open', 'free']);
    fails(live, eve);
    expect(live.breakerState).toBe('open');
    expect(conditions(live)).toEqual(['open', 'open', 'open', 'open']);
  });

  it('is a pause of its own, then of its account, then of all', () => {
    const { live } = testChannel();
    fails(live, ann, 'busy', 20_000);
    expect(conditions(live)).toEqual(['cooling', 'free', 'free', 'free']);
    fails(live, bob, 'busy', 20_000);
    expect(conditions(live)).toEqual(['cooling', 'cooling', 'cooling', 'free']);
    fails(live, eve, 'busy', 20_000);
    expect(conditions(live)).toEqual(['cooling', 'cooling', 'cooling', 'cooling']);
  });
});
