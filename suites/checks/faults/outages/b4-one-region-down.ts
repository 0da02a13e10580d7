import { callsAtOnce } from '../../../profile/calls-at-once.ts';
import { must, Untestable } from '../../../rules/violation.ts';
import { begin, type Call, call, type Outage } from './outage.ts';

const calls = 24;

export const oneRegionDown: Outage = {
  id: 'B4',
  requirements: ['ROUTE-002', 'ROUTE-003', 'ROUTE-004', 'RESP-005'],
  needs: ['upstream.control', 'upstream.routes.trio'],
  judge: async (parts, facts) => {
    const { target, judge, newScene } = parts;
    const trio = target.profile.upstream?.routes.find(({ kind }) => kind === 'trio');
    if (trio === undefined) throw new Untestable('upstream.routes.trio');
    await begin(newScene, facts);
    const seen: Call[] = [];
    while (seen.length < calls) {
      const width = callsAtOnce(target.profile);
      seen.push(...(await Promise.all(Array.from({ length: width }, () => call(parts, facts, trio.model)))));
    }
    const failed = seen.find(({ code }) => code !== null);
    must(failed === undefined, {
      requirement: 'ROUTE-002',
      aspect: 'fault-elsewhere',
      expected: 'no error while two of three channels are healthy',
      actual: String(failed?.code),
      exchange: failed?.exchange,
      upstream: failed?.asked.join(', '),
    });
    if (!seen.some(({ asked }) => asked.some((channel) => channel.endsWith('-beta'))))
      judge.note('the failing channel was never asked');
  },
};
