import { callsAtOnce, processesOf } from '../../../profile/calls-at-once.ts';
import { must } from '../../../rules/violation.ts';
import { anyPair, begin, mustServe, type Outage, openCall } from './outage.ts';

const rounds = 40;
/** How many rounds a gateway has to notice the slow channel. */
const learning = 10;
/** Longer than the slow channel takes for a short answer, ms. */
const waitMs = 4_000;
/** How much later than planned the next calls may start, ms. */
const lateMs = 2_000;
/** The greatest share of later calls on the slow channel; an even choice hardly ever stays below. */
const maxShare = 0.25;
/** The same for several processes, because each must probe the slow channel itself. */
const maxShareOfSeveral = 0.4;

export const slowPoison: Outage = {
  id: 'B3',
  requirements: ['ROUTE-001', 'RESP-023'],
  needs: ['upstream.control', 'upstream.routes.pair', 'hooks.clock'],
  judge: async (parts, facts) => {
    const { clock, target, newScene } = parts;
    const { model } = anyPair(target);
    await begin(newScene, facts);
    const seen: string[] = [];
    // One call per process in each round, so each process gets as many calls at the same interval as a single one.
    const processes = processesOf(target.profile);
    const share = processes === 1 ? maxShare : maxShareOfSeveral;
    const atOnce = Math.min(processes, callsAtOnce(target.profile));
    for (let round = 0; round < rounds * atOnce; round += 1) {
      const made = Array.from({ length: atOnce }, () => openCall(parts, facts, model));
      await Promise.all(
        made.map(({ live, scene }) => Promise.race([live.done, scene.requests(1).catch(() => [])])),
      );
      await clock.elapse(waitMs, lateMs);
      for (const { finish } of made) {
        const call = await finish();
        mustServe(call, 'a good answer: no channel fails');
        seen.push(call.asked.at(-1) ?? '');
      }
    }
    const later = seen.slice(learning * atOnce);
    const slow = later.filter((channel) => channel.endsWith('-1')).length;
    must(slow <= later.length * share, {
      requirement: 'ROUTE-001',
      aspect: 'fault-moves-away',
      expected: `at most ${share * 100} % of ${later.length} calls on the channel that is thirty times slower`,
      actual: `${slow} of them`,
    });
  },
};
