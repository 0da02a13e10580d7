import { expect, it } from 'vitest';
import type { WireClient } from '../wire/client.ts';
import { Quarantine, type WornModel } from './quarantine.ts';

const client = {} as WireClient;
const model = (name: string) => ({ key: 'sk-app-1', model: name });

it('keeps a worn lane back until it has been cured, with every model that was worn out in it', async () => {
  const cured: string[][] = [];
  const quarantine = new Quarantine(async (take) => {
    cured.push(take().map((worn: WornModel) => `${worn.lane} ${worn.model}`));
  });
  quarantine.add('lane-1', [model('a'), model('b')], client);
  quarantine.add('lane-1', [model('a')], client);
  quarantine.add('lane-2', [], client);
  expect([quarantine.isFit('lane-1'), quarantine.isFit('lane-2')]).toEqual([false, true]);
  await quarantine.recover();
  expect(quarantine.isFit('lane-1')).toBe(true);
  expect(cured).toEqual([['lane-1 a', 'lane-1 b']]);
});

it('cures once for all who ask at the same time, also what is added while the cure waits for its turn', async () => {
  const turn = Promise.withResolvers<void>();
  let cures = 0;
  const quarantine = new Quarantine(async (take) => {
    cures += 1;
    await turn.promise;
    take();
  });
  quarantine.add('lane-1', [model('a')], client);
  const both = [quarantine.recover(), quarantine.recover()];
  quarantine.add('lane-2', [model('a')], client);
  turn.resolve();
  await Promise.all(both);
  expect(cures).toBe(1);
  expect([quarantine.isFit('lane-1'), quarantine.isFit('lane-2')]).toEqual([true, true]);
});
