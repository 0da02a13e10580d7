import type { JournalEntry, SimulatorControl } from 'gatecheck-simulators/client';
import { describe, expect, it } from 'vitest';
import { Lockstep } from '../engine/lockstep.ts';
import { forgottenMs, longestOutMs } from '../engine/longest-outage.ts';
import { ServedCalls } from '../engine/served-calls.ts';
import { type Profile, type ProfileInput, profileSchema } from '../profile/profile.ts';
import type { WireClient, WireRequest } from '../wire/client.ts';
import type { DegradedModel } from './channel-recovery.ts';
import { ClockLock } from './clock-lock.ts';
import { createRecovery } from './create-recovery.ts';

const profileWith = (upstream: Partial<NonNullable<ProfileInput['upstream']>> = {}): Profile =>
  profileSchema.parse({
    base_url: 'http://127.0.0.1:1',
    keys: { K1: 'sk-app-1' },
    upstream: { control: 'http://127.0.0.1:2', ...upstream },
  });

const served = new ServedCalls();

const breaker = {
  consecutive_failures: 5,
  window_ms: 30_000,
  window_least: 10,
  window_failure_percent: 50,
  cool_down_ms: [30_000, 60_000],
  account_out_ms: 300_000,
};

const answer = (status: number, body: object): object => ({
  response: { status, body: Buffer.from(JSON.stringify(body)) },
});

/** A gateway that serves from these channels in turn after `servesAfterMs`, with a log of events. */
function stack(servesAfterMs: number, channels: readonly string[] = ['one']) {
  const log: string[] = [];
  let passedMs = 0;
  let calls = 0;
  const entries: JournalEntry[] = [];
  const time = {
    clock: { aheadMs: 0 },
    lockstep: new Lockstep({
      now: () => passedMs,
      pass: async (ms) => {
        passedMs += ms;
        log.push(`jump ${ms}`);
      },
    }),
  };
  const client = {
    send: async (request: WireRequest) => {
      const isServed = passedMs >= servesAfterMs;
      if (request.method === 'GET') return answer(200, { status: isServed ? 'SUCCESS' : 'FAILED' });
      const channel = channels[calls % channels.length] ?? '';
      calls += 1;
      log.push(`${JSON.parse(JSON.stringify(request.body)).model} ${isServed ? channel : 'refused'}`);
      const reply = { ended: 'complete', status: 200 };
      if (isServed) entries.splice(0, entries.length, { channel, reply } as unknown as JournalEntry);
      else entries.length = 0;
      // A task is accepted in any state of its upstream.
      if (request.path.endsWith('/tasks')) return answer(200, { task_id: 't' });
      return answer(isServed ? 200 : 503, {});
    },
  } as unknown as WireClient;
  const tenant = { reset: async () => undefined, journal: async () => ({ entries }) };
  const simulators = { tenant: () => tenant } as unknown as SimulatorControl;
  const degraded = (model: string): DegradedModel => ({ tenant: 'lane-1', key: 'sk-app-1', model, client });
  return { log, time, simulators, degraded };
}

const channelsOf = (...names: string[]) => names.map((name) => ({ name, dialect: 'messages' as const }));

function recoveriesOf(
  { time, simulators }: Pick<Parameters<typeof createRecovery>[0], 'time' | 'simulators'>,
  upstream: Parameters<typeof profileWith>[0],
  clockLock = new ClockLock(),
) {
  return createRecovery({ profile: profileWith(upstream), time, clockLock, simulators, served });
}

describe('the recovery of degraded models', () => {
  it.each([
    {
      does: 'lets the longest declared time pass and then makes one good call of each',
      on: stack(1),
      models: ['a', 'b'],
      log: ['jump 330000', 'a one', 'b one'],
    },
    {
      does: 'calls a model with several channels until each of them has served',
      on: stack(0, ['one', 'one', 'two']),
      routes: [{ model: 'duo', kind: 'pair' as const, channels: channelsOf('one', 'two') }],
      models: ['duo'],
      log: ['jump 330000', 'duo one', 'duo one', 'duo two'],
    },
    {
      does: 'does not take a model for recovered that its fallback serves',
      on: stack(0, ['other', 'other', 'own']),
      routes: [
        { model: 'first', kind: 'fallback' as const, fallback: 'second', channels: channelsOf('own') },
      ],
      models: ['first'],
      log: ['jump 330000', 'first other', 'first other', 'jump 330000', 'first own'],
    },
    {
      does: 'lets time pass once more for what is not served, and then gives it up',
      on: stack(10 ** 9),
      models: ['a'],
      log: ['jump 330000', 'a refused', 'a refused', 'jump 330000', 'a refused', 'a refused'],
    },
    {
      does: 'begins with the good calls where no clock can be moved, and does not wait for what would take long',
      on: { ...stack(1), time: null },
      models: ['a'],
      log: ['a refused', 'a refused'],
    },
  ])('$does', async ({ on, routes = [], models, log }) => {
    await recoveriesOf(on, { breaker, routes }).all(() => models.map(on.degraded));
    expect(on.log).toEqual(log);
  });

  it('makes an image, or follows a task to its end, for models that do not chat', async () => {
    const on = stack(600_000);
    await recoveriesOf(on, { breaker }).all(() => ['kontext-pro', 'vidB2'].map(on.degraded));
    for (const model of ['kontext-pro', 'vidB2'])
      expect(on.log.filter((line) => line.startsWith(model))).toEqual(
        ['refused', 'refused', 'one'].map((end) => `${model} ${end}`),
      );
  });

  it('probes models while other checks leave the clock, or move it together', async () => {
    const on = stack(0);
    const clockLock = new ClockLock();
    const { forgotten } = recoveriesOf(on, { breaker }, clockLock);
    for (const use of ['read', { together: on.time.lockstep }] as const) {
      const check = Promise.withResolvers<void>();
      const running = clockLock.hold(use, () => check.promise);
      expect(await forgotten([on.degraded('a')])).toEqual([]);
      check.resolve();
      await running;
    }
    expect(on.log).toEqual(['a one', 'a one']);
    const ill = stack(1);
    const asked = [ill.degraded('a')];
    expect(await recoveriesOf(ill, { breaker }, clockLock).forgotten(asked)).toEqual(asked);
    expect(ill.log).toEqual(['a refused', 'a refused']);
  });

  it('knows when failures are forgotten: after the window with one channel, after the longest outage with more', () => {
    const profile = profileWith({
      breaker,
      routes: [{ model: 'duo', kind: 'pair', channels: channelsOf('one', 'two') }],
    });
    expect(['duo', 'solo'].map((model) => forgottenMs(profile, model))).toEqual([330_000, 30_000]);
    expect(forgottenMs(profileWith(), 'solo')).toBe(30_000);
  });

  it('assumes 120 s for a deployment that declares nothing', () => {
    expect(longestOutMs(profileWith())).toBe(120_000);
  });
});
