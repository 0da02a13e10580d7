import { expect, it } from 'vitest';
import type { WireClient } from '../wire/client.ts';
import { ChannelRecovery, type DegradedModel, type Recoveries } from './channel-recovery.ts';

const client = {} as WireClient;
/** The default: everything recovers at once. */
const usual: Recoveries = {
  all: async (take) => void take(),
  forgotten: async () => [],
  forgottenMs: () => 30,
  againMs: 330,
  now: () => 0,
};
const model = (name: string) => ({ key: 'sk-app-1', model: name });

it('keeps a degraded tenant back until all its degraded models have recovered', async () => {
  const cured: string[][] = [];
  const channelRecovery = new ChannelRecovery({
    ...usual,
    all: async (take) =>
      void cured.push(take().map((degraded: DegradedModel) => `${degraded.tenant} ${degraded.model}`)),
  });
  channelRecovery.add('lane-1', [model('a'), model('b')], client);
  channelRecovery.add('lane-1', [model('a')], client);
  channelRecovery.add('lane-2', [], client);
  expect([channelRecovery.isHealthy('lane-1'), channelRecovery.isHealthy('lane-2')]).toEqual([false, true]);
  await channelRecovery.recover();
  expect(channelRecovery.isHealthy('lane-1')).toBe(true);
  expect(cured).toEqual([['lane-1 a', 'lane-1 b']]);
});

it('recovers once for concurrent callers, including tenants added while it waits', async () => {
  const turn = Promise.withResolvers<void>();
  let cures = 0;
  const channelRecovery = new ChannelRecovery({
    ...usual,
    all: async (take) => {
      cures += 1;
      await turn.promise;
      take();
    },
  });
  channelRecovery.add('lane-1', [model('a')], client);
  const both = [channelRecovery.recover(), channelRecovery.recover()];
  channelRecovery.add('lane-2', [model('a')], client);
  turn.resolve();
  await Promise.all(both);
  expect(cures).toBe(1);
  expect([channelRecovery.isHealthy('lane-1'), channelRecovery.isHealthy('lane-2')]).toEqual([true, true]);
});

it('first recovers models whose failures are forgotten; the others wait longer, and recover with all', async () => {
  let nowMs = 0;
  const log: string[] = [];
  const namesOf = (degraded: readonly DegradedModel[]): string =>
    degraded.map((one) => `${one.tenant} ${one.model}`).join(', ');
  const channelRecovery = new ChannelRecovery({
    ...usual,
    now: () => nowMs,
    forgottenMs: (name) => (name === 'slow' ? 100 : 30),
    forgotten: async (degraded) => {
      log.push(`forgotten: ${namesOf(degraded)}`);
      return degraded.filter((one) => one.model === 'ill');
    },
    all: async (take) => void log.push(`all: ${namesOf(take())}`),
  });
  channelRecovery.add('lane-1', [model('a'), model('slow')], client);
  channelRecovery.add('lane-2', [model('b')], client);
  channelRecovery.add('lane-3', [model('c'), model('ill')], client);
  nowMs = 30;
  await channelRecovery.recover();
  const healthy = (): boolean[] =>
    ['lane-1', 'lane-2', 'lane-3'].map((name) => channelRecovery.isHealthy(name));
  expect(healthy()).toEqual([false, true, false]);
  await channelRecovery.recover();
  expect(healthy()).toEqual([true, true, true]);
  expect(log).toEqual([
    'forgotten: lane-2 b, lane-3 c, lane-3 ill',
    'all: lane-1 a, lane-1 slow, lane-3 ill',
  ]);
});

it('treats models that cannot be probed as degraded, and recovers all at the end', async () => {
  let nowMs = 0;
  let all = 0;
  const channelRecovery = new ChannelRecovery({
    ...usual,
    now: () => nowMs,
    forgotten: () => Promise.reject(new Error('down')),
    all: async (take) => {
      all += take().length;
    },
  });
  channelRecovery.add('lane-1', [model('a')], client);
  nowMs = 30;
  await channelRecovery.recover();
  expect([channelRecovery.isHealthy('lane-1'), all]).toEqual([false, 0]);
  await channelRecovery.recoverAll();
  expect([channelRecovery.isHealthy('lane-1'), all]).toEqual([true, 1]);
});
