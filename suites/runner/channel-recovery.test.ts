import { expect, it } from 'vitest';
import type { WireClient } from '../wire/client.ts';
import { ChannelRecovery, type DegradedModel } from './channel-recovery.ts';

const client = {} as WireClient;
const model = (name: string) => ({ key: 'sk-app-1', model: name });

it('keeps a worn tenant back until it has been cured, with every model that was worn out in it', async () => {
  const cured: string[][] = [];
  const channelRecovery = new ChannelRecovery(async (take) => {
    cured.push(take().map((degraded: DegradedModel) => `${degraded.tenant} ${degraded.model}`));
  });
  channelRecovery.add('lane-1', [model('a'), model('b')], client);
  channelRecovery.add('lane-1', [model('a')], client);
  channelRecovery.add('lane-2', [], client);
  expect([channelRecovery.isHealthy('lane-1'), channelRecovery.isHealthy('lane-2')]).toEqual([false, true]);
  await channelRecovery.recover();
  expect(channelRecovery.isHealthy('lane-1')).toBe(true);
  expect(cured).toEqual([['lane-1 a', 'lane-1 b']]);
});

it('cures once for all who ask at the same time, also what is added while the cure waits for its turn', async () => {
  const turn = Promise.withResolvers<void>();
  let cures = 0;
  const channelRecovery = new ChannelRecovery(async (take) => {
    cures += 1;
    await turn.promise;
    take();
  });
  channelRecovery.add('lane-1', [model('a')], client);
  const both = [channelRecovery.recover(), channelRecovery.recover()];
  channelRecovery.add('lane-2', [model('a')], client);
  turn.resolve();
  await Promise.all(both);
  expect(cures).toBe(1);
  expect([channelRecovery.isHealthy('lane-1'), channelRecovery.isHealthy('lane-2')]).toEqual([true, true]);
});
