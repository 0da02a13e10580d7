import { nativeModels } from '../../../steps/chat/upstream-view.ts';
import { servedAgain } from '../../../steps/failures/served-again.ts';
import { begin, type Call, call, mustServe, type Outage } from './outage.ts';

const calls = 24;

export const flapping: Outage = {
  id: 'B2',
  requirements: ['ROUTE-004', 'ROUTE-011', 'ERR-029', 'RESP-023'],
  needs: ['upstream.control', 'time'],
  judge: async (parts, facts) => {
    const { rng, target, newScene } = parts;
    const model = rng.pick(nativeModels(target));
    const scene = await begin(newScene, facts);
    const seen: Call[] = [];
    for (let made = 0; made < calls; made += 1) seen.push(await call(parts, facts, model));
    for (const one of seen.slice(0, 3)) mustServe(one, 'a good answer from a healthy upstream');
    await scene.stop();
    await servedAgain(parts, [model], { requirement: 'ROUTE-011', aspect: 'recovers' }, 3);
  },
};
