import { expect, it } from 'vitest';
import { testChannels } from '../testing/live-channels.ts';
import { failure } from '../upstreams/outcome.ts';
import type { ChannelReport } from './channel-report.ts';
import type { LiveChannel } from './live-channel.ts';

/** The same channel in two processes on one clock. Each receives the reports of the other. */
function twins(): {
  one: LiveChannel;
  other: LiveChannel;
  advance: (ms: number) => Promise<void>;
  reports: ChannelReport[];
} {
  const reports: ChannelReport[] = [];
  const pass = async (to: () => LiveChannel, what: ChannelReport): Promise<void> => {
    reports.push(what);
    to().learn(what);
  };
  const first = testChannels([{}], {}, (_, __, what) => pass(() => other, what));
  const second = testChannels([{}], {}, (_, __, what) => pass(() => one, what), first.clock);
  const onlyOf = ([live]: readonly LiveChannel[]): LiveChannel => {
    if (live === undefined) throw new Error('no channel');
    return live;
  };
  const [one, other] = [onlyOf(first.all), onlyOf(second.all)];
  return { one, other, advance: (ms) => first.clock.advance(ms), reports };
}

const fails = (live: LiveChannel): void => live.begin('plain')?.tracker.failed(failure('server', 'test'));
const serves = (live: LiveChannel): void => live.begin('plain')?.tracker.succeeded();

it('five failures in a row open the breaker of every process, whichever process saw them', () => {
  const { one, other } = twins();
  for (const live of [one, other, one, other]) fails(live);
  expect([one.breakerState, other.breakerState]).toEqual(['closed', 'closed']);
  fails(one);
  expect([one.breakerState, other.breakerState]).toEqual(['open', 'open']);
});

it('those of one account keep it alone from the channel in every process', () => {
  const { one, other } = twins();
  for (const live of [one, other, one, other, one])
    live.begin('plain', 'acc')?.tracker.failed(failure('server', 'test'));
  for (const live of [one, other])
    expect([live.condition('acc').kind, live.condition('other').kind]).toEqual(['open', 'free']);
});

it('a success in another process ends a row of failures', () => {
  const { one, other } = twins();
  for (let call = 0; call < 4; call += 1) fails(one);
  serves(other);
  fails(one);
  expect([one.breakerState, other.breakerState]).toEqual(['closed', 'closed']);
});

it('a channel without failures sends no reports', () => {
  const { one, other, reports } = twins();
  for (const live of [one, other, one]) serves(live);
  expect(reports).toEqual([]);
});

it('one process probes at a time, and the result counts for all', async () => {
  const { one, other, advance } = twins();
  for (let call = 0; call < 5; call += 1) fails(one);
  await advance(30_000);
  const probe = one.begin('plain');
  expect(other.begin('plain')).toBeNull();
  probe?.tracker.failed(failure('server', 'test'));
  await advance(59_000);
  expect([one.begin('plain'), other.begin('plain')]).toEqual([null, null]);
  await advance(1_000);
  other.begin('plain')?.tracker.abandoned();
  const second = one.begin('plain');
  expect(other.begin('plain')).toBeNull();
  second?.tracker.succeeded();
  expect([one.breakerState, other.breakerState]).toEqual(['closed', 'closed']);
});

it('a failed probe of one account is left to others in every process, and that of a second one counts for all', async () => {
  const { one, other, advance } = twins();
  const fail = (live: LiveChannel, by: string): void =>
    live.begin('plain', by)?.tracker.failed(failure('server', 'test'));
  for (const by of ['acc', 'other', 'third', 'acc', 'other']) fail(one, by);
  await advance(30_000);
  fail(one, 'acc');
  for (const live of [one, other])
    expect([live.condition('acc').kind, live.condition('other').kind]).toEqual(['open', 'free']);
  fail(other, 'other');
  for (const live of [one, other])
    expect([live.condition('acc').kind, live.condition('third').kind]).toEqual(['open', 'open']);
});

it('other processes wait at most a minute for the probe of a process that is gone', async () => {
  const { one, other, advance } = twins();
  for (let call = 0; call < 5; call += 1) fails(one);
  await advance(30_000);
  one.begin('plain');
  await advance(59_000);
  expect(other.condition().kind).toBe('open');
  await advance(1_000);
  expect(other.condition()).toEqual({ kind: 'free', isProbe: true });
});

it('a requested pause and a refused account count for all processes', async () => {
  const { one, other, advance } = twins();
  one.begin('plain')?.tracker.failed(failure('busy', 'test', { retryAfterMs: 10_000 }));
  // Some real time passes, too.
  expect(other.condition()).toMatchObject({ kind: 'cooling', waitMs: expect.closeTo(10_000, -3) });
  await advance(10_000);
  for (const account of ['acc', 'other'])
    one.begin('plain', account)?.tracker.failed(failure('credentials', 'test'));
  await advance(29_000);
  expect([one.breakerState, other.breakerState]).toEqual(['open', 'open']);
  await advance(1_000);
  expect(other.breakerState).toBe('half-open');
});

it('successes before the first failure count in every process', () => {
  const { one, other } = twins();
  // Over all processes, half of the calls have failed after the last one. In one process alone, most had failed long before.
  for (let call = 0; call < 5; call += 1) {
    serves(one);
    serves(other);
  }
  for (let call = 0; call < 4; call += 1) fails(one);
  serves(other);
  for (let call = 0; call < 4; call += 1) fails(one);
  expect([one.breakerState, other.breakerState]).toEqual(['closed', 'closed']);
  serves(other);
  for (let call = 0; call < 4; call += 1) fails(one);
  // Twelve failures of 24.
  expect([one.breakerState, other.breakerState]).toEqual(['open', 'open']);
});
