import { SimulatorControl } from 'gatecheck-simulators/client';
import { startStack } from '../../suites/stack/stack.ts';
import { createRng } from '../../suites/values/seed.ts';
import { createWireClient } from '../../suites/wire/client.ts';
import type { Book, Round } from './books.ts';
import { playRound } from './play-round.ts';
import type { Strategy } from './strategies.ts';

/** Plays all strategies in parallel on their own reference stack. Each plays rounds for this many ms, at least one. */
export async function playAll(strategies: readonly Strategy[], seed: number, forMs: number): Promise<Book[]> {
  const stack = await startStack({ seed, tenants: strategies.length, clock: false });
  const { profile } = stack;
  const control = new SimulatorControl(profile.upstream?.control ?? '');
  const gateway = createWireClient(profile);
  const until = performance.now() + forMs;
  const play = async (strategy: Strategy, index: number): Promise<Book> => {
    const own = profile.tenants[index];
    if (own === undefined) throw new Error('each strategy has a tenant');
    const rng = createRng(seed, strategy.name);
    const parts = { profile, gateway, tenant: control.tenant(own.name), rng, mainKey: own.keys.K1 };
    const rounds: Round[] = [];
    do rounds.push(await playRound(strategy, parts));
    while (performance.now() < until);
    return { strategy: strategy.name, rounds };
  };
  try {
    return await Promise.all(strategies.map(play));
  } finally {
    await Promise.all([gateway.close(), control.close()]);
    await stack.stop();
  }
}
