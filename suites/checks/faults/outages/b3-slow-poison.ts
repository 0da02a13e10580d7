import { must } from '../../../rules/violation.ts';
import { anyPair, begin, type Outage, openCall } from './outage.ts';

const calls = 40;
/** How many calls a gateway has to notice the slow channel. */
const learning = 10;
/** Longer than the slow channel takes for a short answer, ms. */
const waitMs = 4_000;
/** The greatest share of later calls on the slow channel; an even choice hardly ever stays below. */
const maxShare = 0.25;

export const slowPoison: Outage = {
  id: 'B3',
  requirements: ['ROUTE-001', 'RESP-023'],
  needs: ['upstream.control', 'upstream.routes.pair', 'hooks.clock'],
  judge: async (parts, facts) => {
    const { clock, target, newScene } = parts;
    const { model } = anyPair(target);
    await begin(newScene, facts);
    const seen: string[] = [];
    for (let made = 0; made < calls; made += 1) {
      const { live, scene, finish } = openCall(parts, facts, model);
      await Promise.race([live.done, scene.requests(1).catch(() => [])]);
      await clock.elapse(waitMs);
      const { asked, code, exchange } = await finish();
      must(code === null, {
        requirement: 'RESP-023',
        aspect: 'fault-survived',
        expected: 'a good answer: no channel fails',
        actual: String(code),
        exchange,
      });
      seen.push(asked.at(-1) ?? '');
    }
    const later = seen.slice(learning);
    const slow = later.filter((channel) => channel.endsWith('-1')).length;
    must(slow <= later.length * maxShare, {
      requirement: 'ROUTE-001',
      aspect: 'fault-moves-away',
      expected: `at most ${maxShare * 100} % of ${later.length} calls on a channel thirty times slower than the other`,
      actual: `${slow} of them`,
    });
  },
};
