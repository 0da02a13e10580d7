import { defineCheck } from '../../engine/check.ts';
import { keyCodes } from '../../oracle/error-table.ts';
import { judgeMeter, judgeNoCharge } from '../../steps/money/judge-no-charge.ts';
import { callRoute } from '../../steps/routes/call-route.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { compatWaysOf, generatingCalls, refusedCallers, refuseOn } from './no-effect.ts';

export const refusedKeyCostsNothing = defineCheck({
  id: 'auth.refused.no-charge',
  title: 'a call that is refused for its key costs nothing, and nothing is counted for it',
  requirements: ['AUTH-017'],
  kind: 'example',
  needs: ['charges'],
  run: async (parts) => {
    const { newScene, target, cases, judge } = parts;
    const scene = newScene();
    const calls = generatingCalls(target, scene, scene.minimal(target.anyModel()));
    // Asked before the charges are watched, because it takes calls that are served.
    const compat = await compatWaysOf(parts);
    await judgeNoCharge(parts, 'AUTH-017', async () => {
      const refusals: Exchange[] = [];
      for (const { label, headers } of refusedCallers(parts)) {
        for (const { route, body } of calls) {
          cases.count();
          const refusal = await callRoute(parts, route, { label, headers, body });
          judge.refused(refusal, { requirement: 'AUTH-017', aspect: 'refused', codes: keyCodes });
          refusals.push(refusal);
        }
      }
      return [...refusals, ...(await refuseOn(compat, parts, scene))];
    });
    await judgeMeter(parts, 'AUTH-017');
  },
});
