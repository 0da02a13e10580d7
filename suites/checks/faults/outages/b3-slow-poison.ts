import { must } from '../../../rules/violation.ts';
import { anyPair, begin, mustServe, type Outage, openCall } from './outage.ts';

const calls = 40;
/** How many calls a gateway has to notice the slow channel. */
const learning = 10;
/** Longer than the slow channel takes for a short answer, ms. */
const waitMs = 4_000;
/** Calls that are further apart serve as well, ms. */
const lateMs = 2_000;
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
    for (let count = 0; count < calls; count += 1) {
      const { live, scene, finish } = openCall(parts, facts, model);
      await Promise.race([live.done, scene.requests(1).catch(() => [])]);
      await clock.elapse(waitMs, lateMs);
      const made = await finish();
      mustServe(made, 'a good answer: no channel fails');
      seen.push(made.asked.at(-1) ?? '');
    }
    const later = seen.slice(learning);
    const slow = later.filter((channel) => channel.endsWith('-1')).length;
    must(slow <= later.length * maxShare, {
      requirement: 'ROUTE-001',
      aspect: 'fault-moves-away',
      expected: `at most ${maxShare * 100} % of ${later.length} calls on the channel that is thirty times slower`,
      actual: `${slow} of them`,
    });
  },
};
