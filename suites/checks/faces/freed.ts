import type { Check } from '../../engine/check.ts';
import { part } from '../../rules/violation.ts';
import { freedChecks, judgeFreed } from '../../steps/ways/slot-endings.ts';
import { waysOf } from '../../steps/ways/ways-of.ts';

/** One check for each way a call can end: after any number of such ends, the whole cap is free again. */
export const freedOnEachWay: readonly Check[] = freedChecks({
  id: 'faces.freed.after',
  title: ({ title }) => `calls of every endpoint free their slots for every other after ${title}`,
  requirements: ['LIM-003', 'LIM-004'],
  cut: ['stream-break', 'fin'],
  run: async (parts, ending) => {
    const ways = await waysOf(parts);
    const held = ways.filter((way) => way.lasts && !way.stream);
    const suited = ways.filter((way) => way.stream === ending.stream && (way.lasts || !ending.lasting));
    // Other checks end calls of the core path so; a deployment may stream on no other path.
    const others = suited.filter(({ name }) => name !== 'core');
    const rounds = parts.target.profile.cap.value + 1;
    for (const way of others.length > 0 ? others : suited)
      await part(() => judgeFreed(parts, ending, { requirement: 'LIM-003', ways: [way], rounds, held }));
  },
});
